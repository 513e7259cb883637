-- Every attempt to deliver an event, as long as the delivery is kept.
-- compatible: the program before does not know the table
create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_deliveries on delete cascade,
  -- when it began
  at timestamptz not null,
  duration_ms int not null check (duration_ms >= 0),
  -- of the answer, if there was one
  status int check (status between 100 and 999),
  -- null: the event was taken
  error text check (error <> ''),
  -- the beginning of the answer
  response text check (length(response) between 1 and 1000)
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, id);
grant select, insert on webhook_attempts to cadastre_app;
