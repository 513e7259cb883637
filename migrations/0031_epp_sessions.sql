-- Who is logged in through EPP. A session ends with its lease, which the process that holds it renews.
create table epp_sessions (
  id uuid primary key,
  registrar_id bigint not null references registrars,
  user_id bigint not null references api_users on delete cascade,
  address inet not null,
  server text not null,
  user_agent text,
  logged_in_at timestamptz not null,
  lease_until timestamptz not null,
  last_command_at timestamptz not null,
  commands bigint not null default 0,
  -- set by an operator; the process that holds the session ends it
  end_requested_at timestamptz
);
create index epp_sessions_registrar on epp_sessions (registrar_id, lease_until);
create index epp_sessions_user on epp_sessions (user_id);
create index epp_sessions_lease on epp_sessions (lease_until);

grant select, insert, update, delete on epp_sessions to cadastre_app;
