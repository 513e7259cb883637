import { type Charge, chargeFor } from '../../ledger/charge.ts';
import { NOTHING_STORED, type StoredPart, storeAnswer } from '../../operations/idempotency.ts';
import { type Mail, writeMails } from '../../platform/mail/mail.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { type Part, part, WithStatement } from '../../platform/sql/with.ts';
import { type Author, authorOf, requireRows } from '../history/history.ts';
import { storeLegalDocuments } from '../legal-documents.ts';
import type { Context, Plan } from '../operation.ts';
import { lowBalanceNotice } from '../poll/low-balance.ts';
import { type NewMessage, writeMessages } from '../poll/messages.ts';
import {
  closeRequests,
  openRequests,
  type RegistrantRequest,
  type RequestOutcome,
} from '../requests/request-store.ts';
import { recordTransfers } from '../transfers/transfer-records.ts';
import { type Domain, shownInHistory } from './domain.ts';
import { addLinks, changeLinks, linksMissingIn, removeLinks } from './links.ts';

/** The change of one domain, with everything written in the same statement. */
export type DomainChange = {
  readonly operation: string;
  readonly before: Domain;
  readonly after: Domain;
  readonly charge?: Charge;
  /** Opens a confirmation request to the registrant. */
  readonly request?: RegistrantRequest;
  /** Closes the open request. */
  readonly requestOutcome?: RequestOutcome;
  /** The code of the dispute that the change settles. */
  readonly disputeCode?: string;
  readonly messages?: readonly NewMessage[];
  readonly mails?: readonly Mail[];
};
export type DomainChangePlan = Plan & DomainChange;

/** The change of one domain by a request. */
export const persistChange = (db: Sql, change: DomainChangePlan, context: Context): Promise<void> =>
  persist(db, [change], authorOf(context), storeAnswer(change.answer, context));

/** Many changes in one statement, all or none. */
export async function persistChanges(
  db: Sql,
  changes: readonly DomainChange[],
  author: Author,
  stored: StoredPart = NOTHING_STORED,
): Promise<void> {
  if (changes.length > 0) await persist(db, changes, author, stored);
}

/** Writes the difference between before and after, with history, charges, messages, mails and requests. */
async function persist(
  db: Sql,
  unordered: readonly DomainChange[],
  author: Author,
  stored: StoredPart,
): Promise<void> {
  const changes = unordered.toSorted((one, other) => one.before.id - other.before.id);
  const charged = changes.find(({ charge }) => charge)?.charge;
  const mails = changes.flatMap((change) => change.mails ?? []);
  const recorded = WithStatement.from(stored)
    .and(wantedOf(changes))
    .and(changes.length === 1 ? undefined : LOCKED)
    .and(changedOf(changes, author))
    .and(removeLinks(changes.map(({ before, after }) => linksMissingIn(before, after))))
    .and(addLinks(changes.map(({ before, after }) => linksMissingIn(after, before))))
    .and(changeLinks(changes))
    .and(rememberUnlinked(changes, author.now))
    .and(openRequests(changes, author))
    .and(closeRequests(changes, author.now))
    .and(settleDisputes(changes, author.now))
    .and(recordTransfers(changes, author.now))
    .and(storeLegalDocuments('domain', [author]))
    .and(writeMessages(changes, author))
    .and(mails.length === 0 ? undefined : writeMails(mails, author.now))
    .and(recordedOf(author));
  if (!charged) {
    await db.run(recorded.end(['recorded'], requireRows('recorded', changes.length)));
    return;
  }
  const paid = recorded.and(priced(changes, author)).and(chargeFor(charged.operation)).and(lowBalanceNotice);
  await db.run(paid.end(['charged'], requireRows('charged', changes.length)));
}

/** Rows are locked in the order of their ids, so that two statements over many rows cannot deadlock. */
const LOCKED = part(
  'locked',
  ['wanted'],
  sql`select d.id from domains d join wanted w on w.id = d.id order by d.id for update of d`,
  { isMaterialized: true },
);

function changedOf(changes: readonly DomainChange[], author: Author): Part<'changed', 'wanted' | 'locked'> {
  return part(
    'changed',
    changes.length === 1 ? ['wanted'] : ['wanted', 'locked'],
    sql`
      update domains d set registrar_id = w.registrar_id, registrant_id = w.registrant_id, expire_time = w.expire_time, outzone_at = w.outzone_at,
        delete_date = w.delete_date, purge_at = w.purge_at, reminded_at = w.reminded_at, force_delete_start = w.force_delete_start,
        force_delete_date = w.force_delete_date, force_delete = w.force_delete, statuses = w.statuses, transfer_code = w.transfer_code,
        updated_at = ${author.now}
      from wanted w
      where d.id = w.id and d.version = w.version ${changes.length === 1 ? sql`` : sql`and (select count(*) from locked) > 0`}
      returning d.id, d.name`,
  );
}

const recordedOf = (author: Author): Part<'recorded', 'wanted' | 'changed'> =>
  part(
    'recorded',
    ['wanted', 'changed'],
    sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, client_transaction_id, reason, before, after)
      select ${author.now}, 'domain', changed.id, changed.name, w.operation, ${author.registrarId}::bigint, ${author.actor}, ${author.requestId},
        ${author.clientTransactionId ?? null}, ${author.reason ?? null}, w.before, w.after
      from wanted w join changed on changed.id = w.id order by w.id returning id, object_id`,
  );

/** One JSON value for all rows: encoding an array for each column costs several times as much. */
function wantedOf(changes: readonly DomainChange[]): Part<'wanted', 'stored'> {
  const body = sql`
    select w.* from stored cross join jsonb_to_recordset(${json(changes.map(rowOf))}) as w(
      id bigint, version int, registrar_id bigint, registrant_id bigint, expire_time timestamptz, outzone_at timestamptz, delete_date date,
      purge_at timestamptz, reminded_at timestamptz, force_delete_start date, force_delete_date date, force_delete jsonb, statuses jsonb,
      transfer_code text, operation text, before jsonb, after jsonb)`;
  return part('wanted', ['stored'], body, { isMaterialized: true });
}

function rowOf({ operation, before, after }: DomainChange) {
  const { start = null, date = null, ...forceDelete } = after.forceDelete ?? {};
  return {
    id: before.id,
    version: before.version,
    registrar_id: after.registrarId,
    registrant_id: after.registrant.id,
    expire_time: after.expireTime,
    outzone_at: after.outzoneAt,
    delete_date: after.deleteDate,
    purge_at: after.purgeAt,
    reminded_at: after.remindedAt,
    force_delete_start: start,
    force_delete_date: date,
    ...(after.forceDelete && { force_delete: forceDelete }),
    statuses: after.statuses,
    transfer_code: after.transferCode,
    operation,
    before: shownInHistory(before),
    after: shownInHistory(after),
  };
}

/** A contact's idle time is counted from the day on which a domain last unlinked it. */
function rememberUnlinked(
  changes: readonly DomainChange[],
  now: Date,
): Part<'unlinked', 'changed'> | undefined {
  const contacts = changes.flatMap(({ before, after }) => [
    ...linksMissingIn(before, after).contacts.map(({ id }) => id),
    ...(before.registrant.id === after.registrant.id ? [] : [before.registrant.id]),
  ]);
  if (contacts.length === 0) return undefined;
  return part(
    'unlinked',
    ['changed'],
    sql`
    update contacts c set last_linked_at = ${now}
    where c.id = any(${[...new Set(contacts)].toSorted((one, other) => one - other)}::bigint[]) and exists (select from changed)`,
  );
}

function settleDisputes(changes: readonly DomainChange[], now: Date): Part<'settled', 'changed'> | undefined {
  const won = changes.flatMap(({ before: { id }, disputeCode }) =>
    disputeCode === undefined ? [] : [{ id, disputeCode }],
  );
  if (won.length === 0) return undefined;
  return part(
    'settled',
    ['changed'],
    sql`
    update disputes x set closed_at = ${now}
    from unnest(${won.map(({ id }) => id)}::bigint[], ${won.map(({ disputeCode }) => disputeCode)}::text[]) as w(domain_id, code)
    join changed on changed.id = w.domain_id
    where x.name = changed.name and x.closed_at is null and x.code = w.code`,
  );
}

function priced(
  changes: readonly DomainChange[],
  { actor, requestId, registrarId, now }: Author,
): Part<'priced', 'recorded'> {
  return part(
    'priced',
    ['recorded'],
    sql`
    select recorded.id as history_id, ${registrarId}::bigint as registrar_id, c.amount, c.description,
      ${actor} as actor, ${requestId} as request_id, ${now}::timestamptz as at
    from unnest(${changes.map(({ before }) => before.id)}::bigint[], ${changes.map(({ charge }) => (charge?.amount ?? 0n).toString())}::bigint[],
      ${changes.map(({ charge }) => charge?.description ?? '')}::text[]) as c(domain_id, amount, description)
    join recorded on recorded.object_id = c.domain_id`,
  );
}
