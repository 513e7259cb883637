-- How far `cadastre ledger check` has come, so that the next one begins there.
-- compatible: a new table, which no earlier program reads
create table ledger_checks (
  only_row boolean primary key default true check (only_row),
  -- when the check began with the first entry, and when it came this far
  started_at timestamptz not null,
  checked_at timestamptz not null,
  -- the last entry and the last change in history that were checked
  entry_id bigint not null,
  history_id bigint not null,
  entries bigint not null check (entries >= 0),
  -- the sum of the entries up to there for each account of a registrar, by its id
  balances jsonb not null
);
grant select, insert, update, delete on ledger_checks to cadastre_app;
