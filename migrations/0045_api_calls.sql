-- How often the users of registrars made which call with which result. Servers add to it every few seconds.
create table api_calls (
  registrar_id bigint not null references registrars,
  hour timestamptz not null check (hour = date_trunc('hour', hour)),
  user_id bigint not null references api_users,
  interface text not null check (interface in ('http', 'epp')),
  -- method and path pattern, or the EPP command
  call text collate "C" not null check (length(call) between 1 and 200),
  -- of the envelope; where an answer has none, the HTTP status
  result int not null,
  calls bigint not null check (calls > 0),
  primary key (registrar_id, hour, user_id, interface, call, result)
) with (fillfactor = 70);
-- for retention
create index api_calls_hour on api_calls (hour);
grant select, insert, update, delete on api_calls to cadastre_app;
