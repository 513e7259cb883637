-- A reference that nobody but a caller knows waits in a queue of its own: the provider is asked about these at a fixed
-- rate, and never before a payment that we know.
alter table payments
  -- the address that named it first, until that has proved right or wrong
  add column reported_by text,
  -- 0: a caller who was right before, 1: any other, 2: it has not the form of a reference; none once the provider knows it
  add column lane smallint check (lane between 0 and 2),
  -- how many of the same caller waited when it came, up to a bound
  add column rank smallint check (rank >= 0),
  add check (lane is null or (reported_by is not null and rank is not null));
drop index payments_to_ask;
create index payments_to_ask on payments ((least(ask_at, asking_until)), reference)
  where (ask_at is not null or asking_until is not null) and lane is null;
create index payments_unknown on payments (lane, rank, created_at desc, reference) where lane is not null;
create index payments_reported_by on payments (reported_by) where lane is not null;

-- Addresses whose callback was the first notice of a payment that had settled.
create table callback_callers (
  address text primary key,
  proven_at timestamptz not null
);
create index callback_callers_proven on callback_callers (proven_at);

-- Every process asks at one pace: how many questions the last claim was granted, and up to when the rate is used.
create table lookup_pace (
  only_row boolean primary key default true check (only_row),
  granted integer not null check (granted >= 0),
  used_until timestamptz not null
);

grant select, insert, update, delete on callback_callers to cadastre_app;
grant select, insert, update on lookup_pace to cadastre_app;
