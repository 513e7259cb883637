-- What an operator asks about a job: how often it runs, how long it took, and why it failed last, also when it has
-- succeeded since.
alter table jobs
  add column every_ms bigint,
  add column took_ms bigint,
  add column failed_at timestamptz,
  add column last_failure text;
