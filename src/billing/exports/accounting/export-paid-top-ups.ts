import { Temporal } from 'temporal-polyfill';
import { inTransaction, runTransaction } from '../../../operations/in-transaction.ts';
import { textOf } from '../../../operations/refusal.ts';
import { runOperation } from '../../../operations/run-operation.ts';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/sql/statement.ts';
import type { Policy } from '../../../policy/policy.ts';
import { loadDocuments } from '../invoice-documents.ts';
import { prepareExports, requestExports } from '../request-exports.ts';
import { packForAccounting } from './export-to-accounting.ts';
import { checkVatCode } from './vat-codes.ts';

const BATCH = 500;
const ACTOR = 'registry';

/** Time of day, HH:MM in the country's zone; top-ups paid before it are exported. */
export type TimeOfDay = string;

/** Exports the registrars' top-ups that were paid before the last export time and not exported yet. */
export async function exportPaidTopUps(
  database: Database,
  policy: Policy,
  at: TimeOfDay,
  now: Date,
): Promise<void> {
  const until = lastMoment(policy.timeZone, at, now);
  for (;;) {
    const due = await database.lists.rows(sql<{ number: number }>`
      select i.number from invoices i where i.kind = 'top-up' and i.status = 'paid' and i.paid_at < ${until}
        and not exists (select from invoice_exports e where e.invoice_number = i.number and e.target = 'accounting')
      order by i.paid_at, i.number limit ${BATCH}`);
    if (due.length === 0) return;
    const rejected = await rejectOtherVat(database, policy, due, now);
    const items = due.filter(({ number }) => !rejected.has(number));
    const request = {
      target: 'accounting' as const,
      initiator: 'registry' as const,
      at: ['invoices'] as const,
      actor: ACTOR,
      now,
      items: items.map(({ number }) => ({ number, details: {} })),
    };
    const exporting = inTransaction({
      prepare: () => prepareExports(database.lists, policy, request, packForAccounting(policy)),
      transact: (db, prepared) => requestExports(db, policy, request, prepared),
    });
    if (items.length > 0) await runOperation(database, exporting, { now, dryRun: false });
  }
}

/** Records those whose registrar demands another VAT as rejected, so that an operator sees them and the others go on. */
async function rejectOtherVat(
  { lists, writes }: Database,
  policy: Policy,
  due: readonly { readonly number: number }[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const documents = await loadDocuments(
    lists,
    due.map(({ number }) => number),
    policy,
  );
  const wrong = documents.flatMap((document) =>
    checkVatCode(document, policy).map((refusal) => ({ number: document.number, message: textOf(refusal) })),
  );
  if (wrong.length > 0)
    await runTransaction(writes, now, (db) =>
      db.run(sql`
        insert into invoice_exports (invoice_number, target, state, details, requested_at, actor, answered_at, reason)
        select w.number, 'accounting', 'rejected', '{}', ${now}, ${ACTOR}, ${now}, w.reason
        from unnest(${wrong.map(({ number }) => number)}::bigint[], ${wrong.map(({ message }) => message)}::text[]) as w(number, reason)
        where not exists (select from invoice_exports e where e.invoice_number = w.number and e.target = 'accounting')`),
    );
  return new Set(wrong.map(({ number }) => number));
}

/** When the next export is due; undefined when no top-up is pending. */
export async function nextPaidTopUp(
  { reads }: Database,
  { timeZone }: Policy,
  at: TimeOfDay,
): Promise<Date | undefined> {
  const row = await reads.maybe(sql<{ paidAt: Date | null }>`
    select i.paid_at as "paidAt" from invoices i where i.kind = 'top-up' and i.status = 'paid'
      and not exists (select from invoice_exports e where e.invoice_number = i.number and e.target = 'accounting')
    order by i.paid_at, i.number limit 1`);
  if (!row?.paidAt) return undefined;
  const before = lastMoment(timeZone, at, row.paidAt);
  return momentOf(dayAt(timeZone, before).add({ days: 1 }).toPlainDate(), timeZone, at);
}

/** The last export time at or before `now`. */
function lastMoment(timeZone: string, at: TimeOfDay, now: Date): Date {
  const day = dayAt(timeZone, now).toPlainDate();
  const today = momentOf(day, timeZone, at);
  return today <= now ? today : momentOf(day.subtract({ days: 1 }), timeZone, at);
}

const dayAt = (timeZone: string, moment: Date): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone);

const momentOf = (day: Temporal.PlainDate, timeZone: string, at: TimeOfDay): Date =>
  new Date(day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(at) }).epochMilliseconds);
