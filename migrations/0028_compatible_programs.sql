-- Servers are replaced one by one: after a migration, programs whose newest migration is at least this one still run.
-- Without a value, as for the migrations before this one, only programs that know the migration do.
alter table schema_migrations add column min_program_schema integer;
