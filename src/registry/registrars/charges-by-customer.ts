import type { Sql } from '../../platform/sql/executor.ts';
import { sql, text } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';

/** What a registrar was charged for the domains of one registrant. */
export type CustomerCharges = {
  readonly code: string;
  /** Null if the contact is not there any more. */
  readonly name: string | null;
  readonly count: number;
  /** In cents. */
  readonly sum: string;
};
export type ChargesByCustomer = {
  /** Those with the most first. */
  readonly customers: readonly CustomerCharges[];
  /** Of all customers, also those that are not listed. */
  readonly total: { readonly customers: number; readonly count: number; readonly sum: string };
  /** Older charges of the time were not counted. */
  readonly isCut: boolean;
};

/** So many charges are counted, the newest. */
export const MAX_CHARGES = 20_000;
const MAX_LISTED = 200;
const BOUND = text(`limit ${MAX_CHARGES + 1}`);

type Row = CustomerCharges & { readonly customers: number; readonly charges: number; readonly total: string };

/** Registrations and renewals of a time by who held the domain then. */
export async function readChargesByCustomer(
  db: Sql,
  { registrarId }: RegistrarScope,
  { from, before }: { readonly from: Date; readonly before: Date },
): Promise<ChargesByCustomer> {
  const rows = await db.rows(sql<Row>`
    select g.code, (select c.name from contacts c where c.code_key = lower(g.code) and c.registrar_id = ${registrarId}) as name,
      g.count, g.sum::text as sum, g.customers, g.charges::int as charges, g.total::text as total
    from (
      select h.after ->> 'registrant' as code, count(*) as count, sum(e.amount) as sum,
        count(*) over () as customers, sum(count(*)) over () as charges, sum(sum(e.amount)) over () as total
      from (select history_id, amount from ledger_entries
        where registrar_id = ${registrarId} and at >= ${from} and at < ${before} and operation in ('create', 'renew') order by at desc, id desc ${BOUND}) as e
      join history h on h.id = e.history_id
      where h.after ->> 'registrant' is not null group by 1 order by 3 desc, 1 ${text(`limit ${MAX_LISTED}`)}) as g
    order by g.sum desc, g.code`);
  const [first] = rows;
  return {
    customers: rows.map(({ code, name, count, sum }) => ({ code, name, count, sum })),
    total: { customers: first?.customers ?? 0, count: first?.charges ?? 0, sum: first?.total ?? '0' },
    isCut: (first?.charges ?? 0) > MAX_CHARGES,
  };
}
