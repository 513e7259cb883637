import { pollOpenPayments } from '../billing/payments/poll-leases.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { json, sql } from '../platform/sql/statement.ts';
import type { NumberRange } from '../policy/policy.ts';
import { raiseSerials } from '../registry/zones/raise-serials.ts';

export type RepairOrder = {
  readonly recoveryPoint: Date;
  readonly now: Date;
  readonly actor: string;
  readonly reason: string | null;
  /** How far each of these ranges is moved on. */
  readonly invoiceNumbers: number;
  readonly ranges: Readonly<Record<string, NumberRange>>;
  readonly ids: number;
};
export type Repaired = Readonly<
  Record<
    'invoiceRanges' | 'identityColumns' | 'mailsHeld' | 'paymentsToPoll' | 'revocationLists' | 'zonesRaised',
    number
  >
>;

export class RangeUsedUp extends Error {
  override name = 'RangeUsedUp';
}

/** Beyond any number that may have been published since. */
const REVOCATION_LIST_NUMBERS = 1_000;
const HELD = 'held after a recovery: it may have been sent already';

/** What can be repaired of a database that was taken back, in one transaction; every step may be repeated. */
export function repairRecovery(owner: Pool, order: RepairOrder): Promise<Repaired> {
  return owner.begin(async (db) => {
    const { recoveryPoint, now, invoiceNumbers, ids } = order;
    const invoiceRanges = await moveInvoiceNumbers(db, order);
    const identityColumns = await moveIdentities(db, ids);
    const mailsHeld = await db.run(sql`
      update mails set gave_up_at = ${now}, last_error = ${HELD}
      where sent_at is null and gave_up_at is null and created_at <= ${recoveryPoint}`);
    const revocationLists = await db.run(sql`
      update authorities set revocation_list_number = revocation_list_number + ${REVOCATION_LIST_NUMBERS}, revocation_list_stale = true
      where own and retired_at is null`);
    await pollOpenPayments(db, now);
    const { paymentsToPoll } = await db.one(sql<{ paymentsToPoll: number }>`
      select count(*) as "paymentsToPoll" from payments where open`);
    const zonesRaised = await raiseSerials(db, recoveryPoint, now);
    const counts = { invoiceRanges, identityColumns, mailsHeld, paymentsToPoll };
    const repaired = { ...counts, revocationLists, zonesRaised };
    await db.run(sql`
      insert into recoveries (recovery_point, at, actor, reason, repaired)
      values (${recoveryPoint}, ${now}, ${order.actor}, ${order.reason}, ${json({ ...repaired, invoiceNumbers, ids })})`);
    return repaired;
  });
}

/** A range that was not used yet may have been used since. */
async function moveInvoiceNumbers(db: Pool, { ranges, invoiceNumbers }: RepairOrder): Promise<number> {
  for (const [name, { first, last }] of Object.entries(ranges)) {
    const { next } = await db.one(sql<{ next: number }>`
      insert into invoice_ranges as r (name, next_number) values (${name}, ${first + invoiceNumbers})
      on conflict (name) do update set next_number = greatest(r.next_number, ${first}) + ${invoiceNumbers}
      returning next_number as next`);
    if (next > last)
      throw new RangeUsedUp(
        `The range ${name} of invoice numbers would be used up: it ends at ${last}. Name a lower --invoice-numbers, or give it a higher end in the policy.`,
      );
  }
  return Object.keys(ranges).length;
}

/** In the transaction, unlike setval; needs the owner. */
async function moveIdentities(db: Pool, ids: number): Promise<number> {
  const columns = await db.rows(sql<{ statement: string }>`
    select format('alter table public.%I alter column %I restart with %s', c.relname, a.attname, coalesce(s.last_value, 0) + ${ids}::bigint + 1) as statement
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      join pg_sequences s on s.schemaname = 'public'
        and format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''`);
  await db.script(columns.map(({ statement }) => statement).join('; '));
  return columns.length;
}
