-- How the checks of the operators ended last: backups, drills of restores, the doctor, the ledger. Metrics and alerts read it.
create table operator_checks (
  kind text primary key,
  at timestamptz not null,
  succeeded boolean not null,
  -- the time that the last success is good for: of a backup that of its data; null before the first one
  succeeded_at timestamptz,
  detail text not null
);

grant select, insert, update on operator_checks to cadastre_app;
