import { isNotInSchema } from '../../platform/database/database-errors.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import type { RequestOutcome } from '../requests/request-store.ts';
import type { BulkChange, BulkRow } from './bulk-job.ts';
import type { StoredRefusal } from './stored-refusal.ts';

export type BulkJobState = 'waiting' | 'running' | 'stopped' | 'finished';

export type BulkJob = BulkChange & {
  /** In addresses. */
  readonly id: string;
  readonly sequence: number;
  readonly personName: string;
  readonly state: BulkJobState;
  readonly total: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  /** In cents. */
  readonly charged: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** The sequence number of the job whose refused rows it tries again. */
  readonly againOf: number | null;
};

const JOB = sql<BulkJob>`
  select public_id as id, id as sequence, kind, input, person_name as "personName", total, changed, unchanged, refused, charged::text as charged,
    created_at as "createdAt", finished_at as "finishedAt", again_of as "againOf",
    case when finished_at is not null then 'finished' when stopped_at is not null then 'stopped'
      when changed + unchanged + refused > 0 or started_at is not null then 'running' else 'waiting' end as state
  from bulk_jobs`;

/** Newest first, those before a sequence number. */
export const listBulkJobs = (
  db: Sql,
  { registrarId }: RegistrarScope,
  { before, size }: { readonly before: number | undefined; readonly size: number },
): Promise<BulkJob[]> =>
  db
    .rows(sql<BulkJob>`${JOB}
      where registrar_id = ${registrarId} and id < coalesce(${before ?? null}::bigint, 9223372036854775807) order by id desc limit ${size}`)
    .catch((error: unknown) => {
      // The schema of 0.5.0 has none.
      if (isNotInSchema(error)) return [];
      throw error;
    });

export const findBulkJob = (
  db: Sql,
  { registrarId }: RegistrarScope,
  id: string,
): Promise<BulkJob | undefined> =>
  isJobId(id)
    ? db.maybe(sql<BulkJob>`${JOB} where public_id = ${id}::uuid and registrar_id = ${registrarId}`)
    : Promise.resolve(undefined);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isJobId = (text: string): boolean => UUID.test(text);

export type BulkJobRow = {
  readonly position: number;
  readonly name: string;
  readonly outcome: 'changed' | 'unchanged' | 'refused' | null;
  readonly refusal: StoredRefusal | null;
  /** What became of the request to the registrant that it began; null if it began none. */
  readonly request: 'open' | RequestOutcome | null;
};

export type RowQuery = {
  readonly size: number;
  /** The position of the last one that was read. */
  readonly after?: number | undefined;
  /** Only those that were refused, or only the others. */
  readonly only?: 'refused' | 'others';
};

/** In the order of the list. */
export const listBulkJobRows = (
  db: Sql,
  { sequence, kind }: Pick<BulkJob, 'sequence' | 'kind'>,
  { size, after = -1, only }: RowQuery,
): Promise<BulkJobRow[]> =>
  db.rows(sql<BulkJobRow>`
    select position, name, outcome, refusal, ${kind === 'registrant' ? REQUEST : NO_REQUEST} as request from bulk_job_rows where job_id = ${sequence} and position > ${after} and ${CONDITIONS[only ?? 'all']}
    order by position limit ${size}`);

const NO_REQUEST = sql`null`;
/** By the domain and by the request that began the job. */
const REQUEST = sql`(
      select coalesce(q.outcome, 'open') from domains d join registrant_requests q on q.domain_id = d.id
      where d.name = bulk_job_rows.name and q.request_id = (select j.request_id from bulk_jobs j where j.id = bulk_job_rows.job_id))`;

const CONDITIONS: Readonly<Record<'refused' | 'others' | 'all', Fragment>> = {
  refused: sql`outcome = 'refused'`,
  others: sql`outcome is distinct from 'refused'`,
  all: sql`true`,
};

/** What was refused, to be tried again, or changed, to be changed back. */
export const listRowsWith = (
  db: Sql,
  { sequence }: Pick<BulkJob, 'sequence'>,
  outcome: 'refused' | 'changed',
): Promise<RowOfList[]> =>
  db.rows(sql<RowOfList>`
    select name, code, months from bulk_job_rows where job_id = ${sequence} and outcome = ${outcome} order by position`);

type RowOfList = Pick<BulkRow, 'name' | 'code' | 'months'>;
