import { Temporal } from 'temporal-polyfill';
import { runTransaction } from '../../operations/in-transaction.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import {
  checkLimit,
  type LimitedStep,
  recordStepCount,
  recordStops,
  type StepLoad,
} from '../../platform/jobs/job-limits.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import type { Policy } from '../../policy/policy.ts';
import { type StoredContact, shownInHistory } from '../contacts/contact.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import { POSTAL_ADDRESS } from '../contacts/postal-address.ts';
import { registryAuthor } from '../history/read-history.ts';
import { message, writeMessages } from '../poll/send-messages.ts';
import { detachMessages, rememberRemoved } from '../removed.ts';
import type { StepContext } from './run-step.ts';

type IdleContact = Omit<StoredContact, 'linked' | 'reference'> & {
  readonly registrarId: number;
  readonly idleSince: string;
};
const BATCH = 500;

/** Removes contacts that no domain has used for archiveMonths. Returns the step if it newly exceeds its limit. */
export async function archiveContacts(
  { writes, lists }: Database,
  context: StepContext,
  isLimited: boolean,
): Promise<readonly StepLoad[]> {
  const { now, policy } = context;
  const months = policy.contacts.archiveMonths;
  const cutoff = cutoffOf(context);
  const step = archiveStep(context);
  if (isLimited) {
    const stops = await checkArchiveLimit(lists, context);
    const begun = await recordStops(writes, ARCHIVE_JOB, stops, now);
    if (stops.length > 0) return begun;
  }
  // Most old contacts are in use: keyset pagination reads each of them once per run.
  for (let last: IdleContact | undefined, more = true; more; ) {
    const contacts = await runTransaction(writes, now, async (db) => {
      const idle = await lockIdle(db, cutoff, last);
      if (idle.length > 0) await removeContacts(db, idle, now, String(months));
      if (isLimited) await recordStepCount(db, step, idle.length, now);
      return idle;
    });
    last = contacts.at(-1);
    more = contacts.length === BATCH;
  }
  return [];
}

function cutoffOf({ now, policy }: Pick<StepContext, 'now' | 'policy'>): Date {
  const cutoff = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(policy.timeZone)
    .subtract({ months: policy.contacts.archiveMonths });
  return new Date(cutoff.epochMilliseconds);
}

export const ARCHIVE_JOB = 'archive contacts';

const archiveStep = (context: StepContext): LimitedStep => ({
  job: ARCHIVE_JOB,
  step: 'archive contacts',
  table: sql`contacts`,
  due: [
    sql`select from contacts c where coalesce(c.last_linked_at, c.created_at) <= ${cutoffOf(context)} and ${isIdle()}`,
  ],
});

/** The step's load, if it exceeds the daily limit. */
export async function checkArchiveLimit(db: Sql, context: StepContext): Promise<StepLoad[]> {
  const load = await checkLimit(db, archiveStep(context), context.policy.dailyLimit, context.now);
  return load ? [load] : [];
}

/** When the next contact becomes due for archiving; undefined if none does until `end`. */
export async function nextIdle({ lists }: Database, policy: Policy, end: Date): Promise<Date | undefined> {
  const { contacts, timeZone } = policy;
  const row = await lists.maybe(sql<{ at: Date }>`
    select (coalesce(c.last_linked_at, c.created_at) at time zone ${timeZone} + make_interval(months => ${contacts.archiveMonths})) at time zone ${timeZone} as at
    from contacts c where coalesce(c.last_linked_at, c.created_at) <= ${cutoffOf({ now: end, policy })} and ${isIdle()}
    order by coalesce(c.last_linked_at, c.created_at), c.id limit 1`);
  return row?.at;
}

const isIdle = (): Fragment => sql`
  not exists (select from domains where registrant_id = c.id)
  and not exists (select from domain_contacts where contact_id = c.id)
  and not exists (select from registrant_requests where new_registrant_id = c.id and closed_at is null)`;

async function lockIdle(db: Sql, cutoff: Date, last: IdleContact | undefined): Promise<IdleContact[]> {
  return db.rows(sql<IdleContact>`
    select c.id, c.version, c.code, c.name, c.email, c.phone, c.registrar_id as "registrarId",
      coalesce(c.last_linked_at, c.created_at)::text as "idleSince",
      json_build_object('ident', c.ident, 'type', c.ident_type, 'countryCode', c.ident_country_code) as ident,
      ${POSTAL_ADDRESS} as address, c.statuses, c.disclosed_attributes as "disclosedAttributes"
    from contacts c
    where coalesce(c.last_linked_at, c.created_at) <= ${cutoff}
      and (coalesce(c.last_linked_at, c.created_at), c.id) > (${last?.idleSince ?? '-infinity'}::text::timestamptz, ${last?.id ?? 0}::bigint)
      and ${isIdle()}
    order by coalesce(c.last_linked_at, c.created_at), c.id limit ${BATCH} for update of c skip locked`);
}

async function removeContacts(
  db: Sql,
  contacts: readonly IdleContact[],
  now: Date,
  months: string,
): Promise<void> {
  const notifications = contacts.map((contact) => ({
    messages: [message('contact_archived', { ...contact, months })],
    author: registryAuthor(now),
  }));
  const statement = WithStatement.from(
    part(
      'wanted',
      [],
      sql`
      select * from unnest(${contacts.map(({ id }) => id)}::bigint[], ${contacts.map(({ version }) => version)}::int[],
        ${contacts.map(({ code }) => searchKey(code))}::text[], ${contacts.map((contact) => JSON.stringify(shownInHistory(contact)))}::text[])
        as w(id, version, key, before)`,
      { isMaterialized: true },
    ),
  )
    .and(
      part(
        'changed',
        ['wanted'],
        sql`
      delete from contacts c using wanted w where c.id = w.id and c.version = w.version
      returning c.id, c.code as name, c.registrar_id, w.key, w.before`,
      ),
    )
    .and(rememberRemoved('contact', now))
    .and(detachMessages('contact'))
    .and(writeMessages(notifications))
    .and(
      recordHistory(
        {
          objectKind: 'contact',
          operation: 'archive',
          registrarId: sql`changed.registrar_id`,
          before: sql`changed.before::jsonb`,
        },
        registryAuthor(now),
      ),
    );
  await db.run(statement.end(['recorded'], requireRows('recorded', contacts.length)));
}
