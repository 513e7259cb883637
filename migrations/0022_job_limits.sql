-- What jobs may do to a registry within a day is limited: beyond it they stop and wait for an operator's approval.

-- How much of each limited step was done, by the hour; and how much of that under an approval.
create table limited_work (
  job text not null,
  step text not null,
  hour timestamptz not null,
  count bigint not null check (count > 0),
  approved bigint not null default 0 check (approved between 0 and count),
  primary key (job, step, hour)
);

-- A job that has stopped, by the steps that would be too much; gone once it goes on.
create table job_stops (
  job text not null,
  step text not null,
  since timestamptz not null,
  checked_at timestamptz not null,
  due bigint not null,
  taken bigint not null,
  allowed bigint not null,
  total bigint not null,
  primary key (job, step)
);

create table job_approvals (
  id bigint generated always as identity primary key,
  job text not null,
  step text not null,
  -- what was due when it was given, and how much of it was done since
  count bigint not null check (count > 0),
  used bigint not null default 0 check (used between 0 and count),
  approved_at timestamptz not null,
  approved_by text not null,
  reason text,
  expires_at timestamptz not null
);
create index job_approvals_step on job_approvals (job, step, id);

grant select, insert, update, delete on limited_work, job_stops to cadastre_app;
grant select, insert, update (used, expires_at) on job_approvals to cadastre_app;
