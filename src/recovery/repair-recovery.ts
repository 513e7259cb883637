import { pollOpenPayments } from '../billing/payments/poll-leases.ts';
import { operatorTransaction } from '../operations/operator-operation.ts';
import { insertHistory } from '../operations/record-history.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { json, sql } from '../platform/sql/statement.ts';
import type { NumberRange } from '../policy/policy.ts';
import { raiseSerials } from '../registry/zones/repair-serials.ts';
import { refuse } from './operator-refusals.ts';
import { findRecoveryPoint, reportRecovery } from './recovery-report.ts';

type Repair = {
  /** The time that the database was taken back to; found unless given. */
  readonly since?: Date | undefined;
  /** How far each of the ranges of invoice numbers is moved on; by the time that was lost unless given. */
  readonly invoiceNumbers?: number | undefined;
  readonly ids: number;
};

/** Beyond any number that may have been published since. */
const REVOCATION_LIST_NUMBERS = 1_000;
const HELD = 'held after a recovery: it may have been sent already';

/** What can be repaired of a database that was taken back, by its owner; every step may be repeated. */
export const repairRecovery = operatorTransaction(
  { name: 'repair after recovery', right: 'operation', refusals: ['rangeUsedUp'] },
  {
    async transact(db, { since, ids, ...given }: Repair, context) {
      const { now, actor, reason, policy } = context;
      const recoveryPoint = since ?? (await findRecoveryPoint(db, now));
      const invoiceNumbers =
        given.invoiceNumbers ?? (await reportRecovery(db, recoveryPoint, now)).invoiceNumbers;
      const invoiceRanges = await moveInvoiceNumbers(db, policy.billing.numberRanges, invoiceNumbers);
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
      const recorded = { ...repaired, invoiceNumbers, ids };
      await db.run(sql`
        insert into recoveries (recovery_point, at, actor, reason, repaired)
        values (${recoveryPoint}, ${now}, ${actor}, ${reason?.text ?? null}, ${json(recorded)})`);
      const entry = {
        objectKind: 'installation',
        objectId: 0,
        objectName: 'installation',
        operation: 'repair after recovery',
        registrarId: null,
        after: { recoveryPoint, ...recorded },
      };
      await db.run(insertHistory(entry, context, sql``));
      return { ...repaired, recoveryPoint, invoiceNumbers, ids };
    },
  },
);

/** A range that was not used yet may have been used since. */
async function moveInvoiceNumbers(
  db: Pool,
  ranges: Readonly<Record<string, NumberRange>>,
  invoiceNumbers: number,
): Promise<number> {
  for (const [name, { first, last }] of Object.entries(ranges)) {
    const { next } = await db.one(sql<{ next: number }>`
      insert into invoice_ranges as r (name, next_number) values (${name}, ${first + invoiceNumbers})
      on conflict (name) do update set next_number = greatest(r.next_number, ${first}) + ${invoiceNumbers}
      returning next_number as next`);
    if (next > last) refuse('rangeUsedUp', { at: ['invoiceNumbers'], range: name, last });
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
