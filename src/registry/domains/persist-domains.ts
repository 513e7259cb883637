import { type Charge, chargeFor } from '../../ledger/charge.ts';
import {
  NOTHING_STORED,
  type StoredPart,
  storeAnswer,
  storeAnswers,
} from '../../operations/stored-answers.ts';
import { insertHistory, requireRows } from '../../operations/record-history.ts';
import { type Mail, writeMails } from '../../platform/mail/enqueue-mails.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Part, part, WithStatement } from '../../platform/sql/with.ts';
import { rememberUnlinked } from '../contacts/remember-unlinked.ts';
import { type Author, authorOf, WANTED_AUTHORS } from '../history/read-history.ts';
import { storeLegalDocuments } from '../legal-documents.ts';
import type { DomainMail } from '../mails/registrant-mails.ts';
import type { Context, Decided, Plan } from '../operation.ts';
import { lowBalanceNotice } from '../poll/low-balance.ts';
import { type NewMessage, writeMessages } from '../poll/send-messages.ts';
import {
  closeRequests,
  openRequests,
  type RegistrantRequest,
  type RequestOutcome,
} from '../requests/request-store.ts';
import { recordTransfers } from '../transfers/transfer-records.ts';
import type { Domain, DomainResult } from './domain.ts';
import { linksMissingIn } from './domain-contact-links.ts';
import { type Wanted, wantedOf } from './wanted-rows.ts';
import { writeLinks } from './write-links.ts';

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
  readonly mails?: readonly DomainMail[];
};
export type DomainChangePlan<Answer = DomainResult> = Plan<Answer> & DomainChange;

/** The change of one domain by a request. */
export const persistChange = (db: Sql, plan: DomainChangePlan<unknown>, context: Context): Promise<void> =>
  persist(db, [{ ...plan, author: authorOf(context) }], storeAnswer(plan.answer, context));

/** The changes of simultaneous requests in one statement, all or none. */
export const persistBatch = (
  db: Sql,
  decided: readonly Decided<DomainChangePlan<unknown>>[],
): Promise<void> =>
  persist(
    db,
    decided.map(({ plan, context }) => ({ ...plan, author: authorOf(context) })),
    storeAnswers(decided.map(({ plan: { answer }, context }) => ({ ...context, answer }))),
    { isBatch: decided.length > 1 },
  );

/** Many changes in one statement, all or none. */
export async function persistChanges(
  db: Sql,
  changes: readonly DomainChange[],
  author: Author,
  stored: StoredPart = NOTHING_STORED,
): Promise<void> {
  if (changes.length === 0) return;
  await persist(
    db,
    changes.map((change) => ({ ...change, author })),
    stored,
  );
}

/** A change, and who makes it when and why. */
type AuthoredChange = DomainChange & { readonly author: Author };

type Locking = {
  /** The statement fails at once if a domain is locked, and soon if another row is: no request waits for a lock of another. */
  readonly isBatch?: boolean;
};

/** Bulk work can hold a lock for seconds: a batch waits this long, then each of its requests waits by itself. */
export const BATCH_LOCK_TIMEOUT_MS = 100;

/** Writes the difference between before and after, with history, charges, messages, mails and requests. */
async function persist(
  db: Sql,
  unordered: readonly AuthoredChange[],
  stored: StoredPart,
  { isBatch = false }: Locking = {},
): Promise<void> {
  const changes = unordered.toSorted((one, other) => one.before.id - other.before.id);
  const isOne = changes.length === 1;
  const charged = changes.find(({ charge }) => charge)?.charge;
  const mails = changes.flatMap(mailsOf);
  const wanted = wantedOf(changes);
  const recorded = WithStatement.from(stored)
    .and(wanted.rows)
    .and(isOne ? undefined : lockedOf(isBatch))
    .and(changedOf(wanted, isOne))
    .and(writeLinks(changes))
    .and(rememberUnlinkedIn(changes))
    .and(openRequests(changes))
    .and(closeRequests(changes))
    .and(settleDisputes(changes))
    .and(recordTransfers(changes))
    .and(storeLegalDocuments('domain', documentsOf(changes)))
    .and(writeMessages(changes))
    .and(writeMailsOf(changes, mails))
    .and(recordedOf(changes));
  const rows = changes.length;
  await (charged
    ? db.run(
        recorded
          .and(PRICED)
          .and(chargeFor(charged.operation))
          .and(lowBalanceNotice)
          .end(['charged', 'changed'], requireChanged('charged', rows)),
      )
    : db.run(recorded.end(['recorded', 'changed'], requireChanged('recorded', rows))));
}

/** Two changes of one domain, which two requests of a batch can be, are one row of `changed`. */
const requireChanged = (name: 'recorded' | 'charged', rows: number) =>
  sql`${requireRows(name, rows)} where (select count(*) from changed) = ${rows}`;

/** For the registrar at which the change began: a transfer sends none. */
const mailsOf = ({ before: { id, registrarId }, mails = [] }: DomainChange): Mail[] =>
  mails.map(({ role, ...mail }) => ({ ...mail, about: { kind: 'domain', id, registrarId, role } }));

/** Rows are locked in the order of their ids, so that two statements over many rows cannot deadlock. */
const lockedOf = (isBatch: boolean): Part<'locked', 'wanted'> =>
  part(
    'locked',
    ['wanted'],
    isBatch
      ? sql`select d.id from domains d join wanted w on w.id = d.id
          where (select set_config('lock_timeout', ${String(BATCH_LOCK_TIMEOUT_MS)}, true)) is not null
          order by d.id for update of d skip locked`
      : sql`select d.id from domains d join wanted w on w.id = d.id order by d.id for update of d`,
    { isMaterialized: true },
  );

function changedOf({ assignments }: Wanted, isOne: boolean): Part<'changed', 'wanted' | 'locked'> {
  return part(
    'changed',
    isOne ? ['wanted'] : ['wanted', 'locked'],
    sql`
      update domains d set ${assignments} updated_at = w.at
      from wanted w
      where d.id = w.id and d.version = w.version ${isOne ? sql`` : sql`and (select count(*) from locked) = (select count(*) from wanted)`}
      returning d.id, d.name`,
  );
}

/** A reason is an operator's, and all changes of an operator have the same. */
function recordedOf(changes: readonly AuthoredChange[]): Part<'recorded', 'wanted' | 'changed'> {
  const inserted = insertHistory(
    {
      objectKind: 'domain',
      operation: sql`w.operation`,
      registrarId: sql`w.acting_registrar_id`,
      before: sql`w.before`,
      after: sql`w.after`,
      sponsorId: sql`w.sponsor_id`,
    },
    { ...WANTED_AUTHORS, reason: changes[0]?.author.reason },
    sql`from wanted w join changed on changed.id = w.id order by w.id`,
  );
  return part('recorded', ['wanted', 'changed'], sql`${inserted} returning id, object_id`);
}

function rememberUnlinkedIn(changes: readonly AuthoredChange[]) {
  const times = changes.map(({ author }) => author.now.getTime());
  return rememberUnlinked(
    changes.flatMap(({ before, after }) => unlinkedContacts(before, after)),
    new Date(Math.max(...times)),
  );
}

const unlinkedContacts = (before: Domain, after: Domain): number[] => [
  ...linksMissingIn(before, after).contacts.map(({ id }) => id),
  ...(before.registrant.id === after.registrant.id ? [] : [before.registrant.id]),
];

function settleDisputes(changes: readonly AuthoredChange[]): Part<'settled', 'changed'> | undefined {
  const won = changes.flatMap(({ before: { id }, disputeCode, author: { now } }) =>
    disputeCode === undefined ? [] : [{ id, disputeCode, now }],
  );
  if (won.length === 0) return undefined;
  return part(
    'settled',
    ['changed'],
    sql`
    update disputes x set closed_at = w.at
    from unnest(${won.map(({ id }) => id)}::bigint[], ${won.map(({ disputeCode }) => disputeCode)}::text[],
      ${won.map(({ now }) => now.toISOString())}::timestamptz[]) as w(domain_id, code, at)
    join changed on changed.id = w.domain_id
    where x.name = changed.name and x.closed_at is null and x.code = w.code`,
  );
}

/** The document of one request is about all that it changes; those of several are about one domain each. */
function documentsOf(changes: readonly AuthoredChange[]) {
  const authors = [...new Set(changes.map(({ author }) => author))];
  return authors.length === 1
    ? authors
    : changes.map(({ before: { name }, author }) => ({ ...author, name }));
}

function writeMailsOf(
  [first]: readonly AuthoredChange[],
  mails: readonly Mail[],
): Part<'mailed', 'changed'> | undefined {
  return first && mails.length > 0 ? writeMails(mails, first.author.now) : undefined;
}

const PRICED = part(
  'priced',
  ['recorded', 'wanted'],
  sql`
    select recorded.id as history_id, w.acting_registrar_id as registrar_id, w.amount, w.description, w.actor, w.request_id, w.idempotency_key, w.at
    from recorded join wanted w on w.id = recorded.object_id`,
);
