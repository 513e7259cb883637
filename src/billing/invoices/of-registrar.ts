import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Status } from './invoice.ts';

export type RegistrarInvoice = {
  readonly number: number;
  readonly status: Status;
  readonly net: string;
  readonly vat: string;
  readonly amount: string;
  readonly dueDate: string;
  /** In the registry's zone. */
  readonly createdAt: string;
};

/** The moment of issue as clients see it. */
export const zoned = (): Fragment => sql`to_char(issued_at, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')`;

const BEYOND_ALL = Number.MAX_SAFE_INTEGER;

/** A registrar's invoices, the newest first, those before a number; how many there are, and whether more follow. */
export async function listOfRegistrar(
  db: Sql,
  registrarId: number,
  {
    limit,
    offset,
    before,
  }: { readonly limit: number; readonly offset: number; readonly before?: number | undefined },
): Promise<{
  readonly count: number;
  readonly invoices: readonly RegistrarInvoice[];
  readonly more: boolean;
}> {
  const counted = await db.one(sql<{ count: number }>`
    select count(*)::int as count from invoices where registrar_id = ${registrarId}`);
  const invoices = await db.rows(sql<RegistrarInvoice>`
    with page as (
      select number from invoices where registrar_id = ${registrarId} and number < ${before ?? BEYOND_ALL} order by number desc limit ${limit + 1} offset ${offset})
    select i.number, status, net::text as net, vat::text as vat, amount::text as amount, due_date::text as "dueDate", ${zoned()} as "createdAt"
    from page cross join lateral (select * from invoices where number = page.number offset 0) as i order by i.number desc`);
  return { count: counted.count, invoices: invoices.slice(0, limit), more: invoices.length > limit };
}
