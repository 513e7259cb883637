import type { Pool } from '../../src/platform/sql/executor.ts';
import { populate } from '../performance/population.ts';
import { sql } from '../support/sql.ts';

export const REGISTRAR = 'GAMMA';

/** How many domains of each kind fall due between now and three days from now. */
export type Due = { readonly each: number };

/**
 * Domains of one registrar that are due for their next step in the next days, a fifth for each: expiry, outzone,
 * release, purge, and a request that its registrant does not answer.
 */
export async function plantDueDomains(db: Pool, { each }: Due, others = 0): Promise<void> {
  await populate(db, {
    registrars: [REGISTRAR],
    contactsEach: 100,
    domains: 5 * each + others,
    messagesEach: 0,
  });
  await db.run(sql`create table due_domains as
    select id, name, (array['expire', 'outzone', 'release', 'purge', 'lapse'])[1 + (row_number() over (order by id) - 1) / ${each}::int] as kind
    from domains where name like '%-%.ee' order by id limit ${5 * each}`);
  const due = (kind: string) => sql`id in (select id from due_domains where kind = ${kind})`;
  await db.run(sql`set session_replication_role = replica`);
  await db.run(sql`update domains set expire_time = now() + interval '5 years'`);
  await db.run(sql`update domains set expire_time = date_trunc('day', now() at time zone 'Europe/Tallinn' + interval '2 days') at time zone 'Europe/Tallinn'
    where ${due('expire')}`);
  await db.run(sql`update domains set expire_time = now() - interval '14 days', statuses = '{"expired": ""}', reminded_at = now(),
    outzone_at = now() + interval '1 day', delete_date = current_date + 31 where ${due('outzone')}`);
  await db.run(sql`update domains set expire_time = now() - interval '44 days', statuses = '{"expired": "", "serverHold": ""}', hold_causes = '["expiry"]', reminded_at = now(),
    outzone_at = now() - interval '29 days', delete_date = current_date + 2 where ${due('release')}`);
  await db.run(sql`update domains set statuses = '{"deleteCandidate": "", "pendingDelete": "", "serverHold": ""}', hold_causes = '["expiry"]', outzone_at = now() - interval '31 days',
    delete_date = current_date, purge_at = now() + interval '1 day' + id * interval '1 millisecond' where ${due('purge')}`);
  await db.run(sql`update domains set statuses = '{"pendingUpdate": ""}' where ${due('lapse')}`);
  await db.run(sql`insert into registrant_requests (domain_id, kind, new_registrant_id, registrar_id, requested_by, requested_at, expires_at)
    select id, 'registrant change', registrant_id, registrar_id, 'user:gamma', now(), now() + interval '1 day' from domains where ${due('lapse')}`);
  await db.run(sql`reset session_replication_role`);
  await db.run(sql`vacuum analyze domains`);
}

type Effects = {
  readonly kind: string;
  readonly domains: number;
  readonly history: number;
  readonly messages: number;
};

/** The effects on them since: how often each step is in history, and how often its sponsor was notified. */
export async function effectsOf(db: Pool): Promise<readonly Effects[]> {
  return db.rows(sql<Effects>`
    with steps as (
      select object_name as name, case operation when 'lapsed registrant change' then 'lapse' else operation end as kind
      from history where object_kind = 'domain'),
    messages as (
      select substring(text from '[0-9a-f]{8}-[0-9]+\\.ee') as name, case type when 'expired' then 'expire' when 'outzoned' then 'outzone'
        when 'delete_candidate' then 'release' when 'deleted' then 'purge' when 'update_lapsed' then 'lapse' end as kind
      from poll_messages)
    select kind, count(*)::int as domains,
      (select count(*) from steps join due_domains x using (name, kind) where x.kind = d.kind)::int as history,
      (select count(*) from messages join due_domains x using (name, kind) where x.kind = d.kind)::int as messages
    from due_domains d group by kind order by kind`);
}

export const oncePerDomain = (each: number): readonly Effects[] =>
  ['expire', 'lapse', 'outzone', 'purge', 'release'].map((kind) => ({
    kind,
    domains: each,
    history: each,
    messages: each,
  }));
