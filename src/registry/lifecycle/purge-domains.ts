import { runTransaction } from '../../operations/in-transaction.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import type { Database } from '../../platform/database/database.ts';
import { PLANNED_ONCE, type Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { rememberUnlinked } from '../contacts/remember-unlinked.ts';
import { type Domain, shownInHistory } from '../domains/domain.ts';
import { registryAuthor } from '../history/read-history.ts';
import { message, writeMessages } from '../poll/send-messages.ts';
import { detachMessages, rememberRemoved } from '../removed.ts';
import { lockDue, type RecordStepCount, type StepContext } from './run-step.ts';

export const duePurge = ({ now }: StepContext): Fragment => sql`d.purge_at <= ${now} order by d.purge_at`;

/** Deletes one batch of domains that are due, with everything linked to them; returns their number. */
export function purge({ writes }: Database, context: StepContext, record?: RecordStepCount): Promise<number> {
  const { now } = context;
  return runTransaction(
    writes,
    now,
    async (db) => {
      const domains = await lockDue(db, duePurge(context), now);
      if (domains.length > 0) await removeDomains(db, domains, now);
      await record?.(db, domains.length);
      return domains.length;
    },
    PLANNED_ONCE,
  );
}

/** The name is available again at once. Its last sponsor gets 410 from now on, and messages about the domain lose their reference. */
async function removeDomains(db: Sql, domains: readonly Domain[], now: Date): Promise<void> {
  const author = registryAuthor(now);
  const contacts = domains.flatMap((domain) => [
    domain.registrant.id,
    ...domain.contacts.map(({ id }) => id),
  ]);
  const notifications = domains.map((domain) => ({ messages: [message('deleted', domain)], author }));
  const statement = WithStatement.from(
    part(
      'wanted',
      [],
      sql`
      select * from unnest(${domains.map(({ id }) => id)}::bigint[], ${domains.map(({ version }) => version)}::int[],
        ${domains.map((domain) => JSON.stringify(shownInHistory(domain)))}::text[]) as w(id, version, before)`,
      { isMaterialized: true },
    ),
  )
    .and(
      part(
        'changed',
        ['wanted'],
        sql`
      delete from domains d using wanted w where d.id = w.id and d.version = w.version
      returning d.id, d.name, d.name as key, d.registrar_id, w.before`,
      ),
    )
    .and(rememberRemoved('domain', now))
    .and(detachMessages('domain'))
    .and(rememberUnlinked(contacts, now))
    .and(writeMessages(notifications))
    .and(
      recordHistory(
        {
          objectKind: 'domain',
          operation: 'purge',
          registrarId: sql`changed.registrar_id`,
          before: sql`changed.before::jsonb`,
        },
        author,
      ),
    );
  await db.run(statement.end(['recorded'], requireRows('recorded', domains.length)));
}
