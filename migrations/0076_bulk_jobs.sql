-- Changes of many domains that people of registrars began: each job with its rows, and what became of each row.
-- compatible: the program before does not know the tables

create table bulk_jobs (
  id bigint generated always as identity primary key,
  -- in addresses
  public_id uuid not null,
  registrar_id bigint not null references registrars,
  person_id bigint not null references people,
  -- as it was called when the job began
  person_name text not null,
  request_id text not null,
  kind text not null constraint bulk_job_kind check (kind in ('renew', 'nameservers', 'tech', 'hold', 'transfer')),
  input jsonb not null,
  total int not null check (total between 1 and 10000),
  changed int not null default 0 check (changed >= 0),
  unchanged int not null default 0 check (unchanged >= 0),
  refused int not null default 0 check (refused >= 0),
  -- in cents
  charged bigint not null default 0 check (charged >= 0),
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- by a person, who can let it go on
  stopped_at timestamptz,
  next_attempt_at timestamptz,
  -- a process that was taken for dead recognises by it that another one has taken over
  claims int not null default 0,
  -- consecutive
  failures int not null default 0,
  last_error text,
  constraint bulk_job_counts check (changed + unchanged + refused <= total),
  constraint bulk_job_finished check ((finished_at is not null) = (changed + unchanged + refused = total)),
  constraint bulk_job_waits check ((next_attempt_at is not null) = (finished_at is null and stopped_at is null))
);
create unique index bulk_jobs_public_id on bulk_jobs (public_id);
create index bulk_jobs_waiting on bulk_jobs (next_attempt_at, id) where next_attempt_at is not null;
create index bulk_jobs_by_registrar on bulk_jobs (registrar_id, id);
create index bulk_jobs_by_person on bulk_jobs (person_id);
create index bulk_jobs_by_creation on bulk_jobs (created_at);

create table bulk_job_rows (
  job_id bigint not null references bulk_jobs on delete cascade,
  position int not null,
  -- of the domain, or what was written where a name should be
  name text not null,
  -- a transfer code, until the row is done
  code text,
  -- the price in cents that was agreed to
  price bigint check (price >= 0),
  outcome text check (outcome in ('changed', 'unchanged', 'refused')),
  -- name and values of the refusal
  refusal jsonb,
  finished_at timestamptz,
  primary key (job_id, position),
  constraint bulk_job_row_finished check ((outcome is null) = (finished_at is null)),
  constraint bulk_job_row_refused check ((outcome is not distinct from 'refused') = (refusal is not null))
);
create unique index bulk_job_rows_by_name on bulk_job_rows (job_id, name);
create index bulk_job_rows_waiting on bulk_job_rows (job_id, position) where outcome is null;
create index bulk_job_rows_refused on bulk_job_rows (job_id, position) where outcome = 'refused';

grant select, insert, update, delete on bulk_jobs, bulk_job_rows to cadastre_app;
