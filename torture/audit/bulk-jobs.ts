import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';
import type { BegunJob } from '../journal.ts';

/** A form that was answered led to one job, however often it was sent; no job came from nowhere. */
export async function auditBegunJobs(db: Sql, begun: readonly Readonly<BegunJob>[]): Promise<Finding[]> {
  const rows = await db.rows(sql<{ id: string }>`select public_id::text as id from bulk_jobs`);
  const stored = new Set(rows.map(({ id }) => id));
  const most = begun.reduce((sum, form) => sum + form.most, 0);
  const several = begun.filter((form) => form.ids.size > form.most);
  const lost = begun.flatMap(({ ids }) => [...ids]).filter((id) => !stored.has(id));
  return [
    ...several.map((form) => ({
      finding: 'one form began several bulk jobs',
      subject: [...form.ids].join(' '),
      expected: String(form.most),
      found: String(form.ids.size),
    })),
    ...lost.map((id) => ({ finding: 'a bulk job was lost', subject: id, expected: 'a job', found: 'none' })),
    ...(stored.size > most
      ? [
          {
            finding: 'more bulk jobs than forms',
            subject: 'all',
            expected: `at most ${most}`,
            found: String(stored.size),
          },
        ]
      : []),
  ];
}

/**
 * A job counts its rows as they are; each changed row is one change in history, and is charged once. What takes a job
 * back gives each domain the lists that it had before. Each request to a registrant is there once.
 */
export async function auditBulkJobs(db: Sql): Promise<Finding[]> {
  return db.rows(sql<Finding>`
    with counted as (
      select j.id, j.public_id::text as job, j.request_id, j.total, j.changed, j.unchanged, j.refused, j.charged,
        count(r.position) as listed, count(*) filter (where r.outcome = 'changed') as rows_changed,
        count(*) filter (where r.outcome = 'unchanged') as rows_unchanged, count(*) filter (where r.outcome = 'refused') as rows_refused
      from bulk_jobs j left join bulk_job_rows r on r.job_id = j.id group by j.id)
    select 'a bulk job does not have its rows' as finding, job as subject, total::text as expected, listed::text as found
    from counted where listed <> total
    union all
    select 'a bulk job counts its rows wrongly', job, concat_ws(' ', rows_changed, rows_unchanged, rows_refused), concat_ws(' ', changed, unchanged, refused)
    from counted where (changed, unchanged, refused) is distinct from (rows_changed::int, rows_unchanged::int, rows_refused::int)
    union all
    select 'a changed row of a bulk job is not one change', c.job || ' ' || r.name, '1', count(h.id)::text
    from counted c join bulk_job_rows r on r.job_id = c.id and r.outcome = 'changed'
    left join history h on h.request_id = c.request_id and h.object_kind = 'domain' and h.object_name = r.name
    group by c.job, r.name having count(h.id) <> 1
    union all
    select 'a bulk job is charged otherwise than its rows', c.job, c.charged::text, coalesce(sum(e.amount), 0)::text
    from counted c left join history h on h.request_id = c.request_id and h.operation = 'renew' left join ledger_entries e on e.history_id = h.id
    group by c.job, c.charged having c.charged <> coalesce(sum(e.amount), 0)
    union all
    select 'a bulk job was taken back otherwise than it was begun', j.public_id::text || ' ' || r.name, list, (h.after -> list)::text
    from bulk_jobs j join bulk_job_rows r on r.job_id = j.id and r.outcome = 'changed'
    join bulk_jobs o on j.kind = 'undo' and o.public_id = (j.input ->> 'job')::uuid
    join history h on h.request_id = j.request_id and h.object_kind = 'domain' and h.object_name = r.name
    join history before on before.request_id = o.request_id and before.object_kind = 'domain' and before.object_id = h.object_id
    cross join unnest(array['nameservers', 'dnssec_keys', 'admin_contacts', 'tech_contacts']) as list
    where (before.before -> list) is distinct from (before.after -> list)
      and not ((h.after -> list) @> (before.before -> list) and (h.after -> list) <@ (before.before -> list))
    union all
    select 'a bulk job that is done is not told once', j.public_id::text, '1', count(h.id)::text
    from bulk_jobs j left join history h on h.object_kind = 'registrar' and h.operation = 'finish bulk job' and h.request_id = j.request_id
      and h.after ->> 'job' = j.public_id::text
    where j.finished_at is not null group by j.public_id having count(h.id) <> 1
    union all
    select 'a registrant was asked otherwise than a bulk job says', j.public_id::text || ' ' || r.name, h.operation, count(q.id)::text
    from bulk_jobs j join bulk_job_rows r on r.job_id = j.id and r.outcome = 'changed' and j.kind = 'registrant'
    join history h on h.request_id = j.request_id and h.object_kind = 'domain' and h.object_name = r.name
    join domains d on d.id = h.object_id
    left join registrant_requests q on q.request_id = j.request_id and q.domain_id = h.object_id
    group by j.public_id, r.name, h.operation
    having count(q.id) <> case when h.operation = 'ask for registrant change' then 1 else 0 end`);
}
