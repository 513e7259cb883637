import type { MadeObject } from '../operations/stored-answers.ts';
import type { Purge } from '../platform/jobs/run-purge.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';
import type { Context } from './operation.ts';

/** What a request's key is kept with; under the compatibility profile keys end after a time. */
export const keptObject = (
  kind: 'domain' | 'contact',
  name: string,
  { principal }: Pick<Context, 'principal'>,
): MadeObject | undefined => (principal.compatibility ? undefined : { kind, name });

const STORED_FOR_HOURS = 24;
/** Inserting locks the objects against their deletion: in small batches no change of them waits for long. */
const MAX_KEPT = 1_000;

const ofMadeObjects = (now: Date): Fragment => sql`
  select ctid from idempotency_keys
  where created_at < ${now}::timestamptz - make_interval(hours => ${STORED_FOR_HOURS}) and object_name is not null`;

/**
 * Keys of requests that made an object: their answers are deleted after a day, and the keys kept for as long as the
 * object belongs to the registrar. It is the one that the request has made if it was created at the same time.
 */
export const madeObjectPurge: Purge = {
  step: 'keep keys of creations',
  table: sql`idempotency_keys`,
  due: ofMadeObjects,
  removeSome: (db, time) =>
    db.run(sql`
      with gone as (
        delete from idempotency_keys where ctid = any(array(${ofMadeObjects(time)} limit ${MAX_KEPT})) returning *),
      kept as (
        insert into kept_keys (scope, key, fingerprint, object_kind, object_name, domain_id, contact_id, created_at)
        select g.scope, g.key, g.fingerprint, g.object_kind, g.object_name, d.id, c.id, g.created_at
        from gone g
        left join domains d on g.object_kind = 'domain' and d.name = g.object_name and d.created_at = g.created_at and not exists (select from transfers t where t.domain_id = d.id)
        left join contacts c on g.object_kind = 'contact' and c.code_key = lower(g.object_name) and c.created_at = g.created_at
        where d.id is not null or c.id is not null
        order by d.id, c.id
        on conflict do nothing)
      select from gone`),
};
