import { randomUUID } from 'node:crypto';
import type { Refusal } from '../../operations/refusal.ts';
import { storeAnswer } from '../../operations/stored-answers.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Operation } from '../operation.ts';
import { registryRefusals } from '../registry-refusals.ts';
import { type BulkChange, type BulkRow, MAX_BULK_ROWS } from './bulk-job.ts';
import { storedRefusal } from './stored-refusal.ts';

const { refuse } = registryRefusals<never>();

/** A row that was refused when the list was checked is not tried. */
export type NewBulkRow = Pick<BulkRow, 'name'> & {
  readonly code?: string | undefined;
  readonly price?: Cents | undefined;
  readonly months?: number | undefined;
  readonly refusal?: Pick<Refusal, 'name' | 'values'> | undefined;
};
export type NewBulkJob = BulkChange & {
  readonly person: { readonly id: number; readonly name: string };
  readonly rows: readonly NewBulkRow[];
  /** The id of the job whose refused rows it tries again. */
  readonly again?: string | undefined;
};

/** What the registrar has under way, and began within a day. */
type Loaded = { readonly open: number; readonly rows: number };
type Begun = { readonly answer: { readonly id: string }; readonly job: NewBulkJob };

/** Of a registrar, at the same time. */
const MAX_OPEN_JOBS = 20;
/** Of a registrar, begun within a day: rows are kept for months. */
const MAX_ROWS_OF_A_DAY = 200_000;

/** Stores the change of many domains, to be carried out by whichever process claims it. */
export const beginBulkJob: Operation<NewBulkJob, Loaded, Begun> = {
  load: (db, _job, { principal: { registrarId }, now }) =>
    db.one(sql<Loaded>`
      select count(*) filter (where finished_at is null)::int as open,
        coalesce(sum(total) filter (where created_at > ${now}::timestamptz - interval '1 day'), 0)::int as rows
      from bulk_jobs where registrar_id = ${registrarId}
        and (finished_at is null or created_at > ${now}::timestamptz - interval '1 day')`),

  decide({ open, rows }, job) {
    if (job.rows.length === 0 || job.rows.length > MAX_BULK_ROWS)
      throw new Error(`a bulk job of ${job.rows.length} rows`);
    if (open >= MAX_OPEN_JOBS || rows + job.rows.length > MAX_ROWS_OF_A_DAY)
      refuse('tooManyBulkJobs', { jobs: MAX_OPEN_JOBS, rows: MAX_ROWS_OF_A_DAY });
    return { answer: { id: randomUUID() }, job };
  },

  async persist(db, { answer, job }, context) {
    const { principal, requestId, now, publicUrl } = context;
    const { kind, input, person, again = null } = job;
    const rows = job.rows.map(({ name, code, price, months, refusal }, position) => ({
      position,
      name,
      code: refusal ? null : code,
      price: price?.toString(),
      months,
      refusal: refusal && storedRefusal(refusal),
    }));
    const refused = rows.filter((row) => row.refusal).length;
    const isOver = refused === rows.length;
    const head = part(
      'begun',
      ['stored'],
      sql`
      insert into bulk_jobs (public_id, registrar_id, person_id, person_name, request_id, public_url, kind, input, total, refused, created_at, next_attempt_at, finished_at, again_of)
      select ${answer.id}::uuid, ${principal.registrarId}, ${person.id}, ${person.name}, ${requestId}, ${publicUrl}, ${kind}, ${json(input)}, ${rows.length}, ${refused}, ${now},
        ${isOver ? null : now}::timestamptz, ${isOver ? now : null}::timestamptz,
        (select id from bulk_jobs where public_id = ${again}::uuid and registrar_id = ${principal.registrarId} and kind = ${kind}) from stored
      returning id`,
    );
    const listed = part(
      'listed',
      ['begun'],
      sql`
      insert into bulk_job_rows (job_id, position, name, code, price, months, outcome, refusal, finished_at)
      select begun.id, r.position, r.name, r.code, r.price, r.months, case when r.refusal is not null then 'refused' end, r.refusal,
        case when r.refusal is not null then ${now}::timestamptz end
      from begun, jsonb_to_recordset(${json(rows)}) as r(position int, name text, code text, price bigint, months int, refusal jsonb)
      returning 1`,
    );
    const statement = WithStatement.from(storeAnswer(answer, context)).and(head).and(listed);
    await db.run(statement.end(['listed'], sql`select count(*) from listed`));
  },
};
