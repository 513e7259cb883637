-- compatible: the program before knows none of these tables; the triggers write events only for registrars with endpoints
-- Events for registrars, delivered to addresses of theirs.

create table webhook_endpoints (
  id bigint generated always as identity primary key,
  -- as its registrar knows it
  public_id text collate "C" not null unique check (public_id ~ '^whe_[0-9a-f]{16}$'),
  registrar_id bigint not null references registrars,
  -- its place among those of its registrar: there are ten
  position int not null check (position between 1 and 10),
  url text not null check (length(url) between 1 and 2000),
  description text not null check (length(description) <= 200),
  -- null: all
  event_types text[] check (cardinality(event_types) > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason <> ''),
  last_success_at timestamptz,
  -- since when, and how often in a row, every attempt has failed
  failing_since timestamptz,
  failures int not null default 0 check (failures >= 0),
  -- nothing is sent before this time
  paused_until timestamptz,
  constraint webhook_endpoints_position unique (registrar_id, position),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((failing_since is null) = (failures = 0))
);
create index webhook_endpoints_enabled on webhook_endpoints (registrar_id) where disabled_at is null;

-- A secret is derived from its salt and a setting: whoever reads the database cannot sign.
create table webhook_secrets (
  endpoint_id bigint not null references webhook_endpoints on delete cascade,
  generation int not null check (generation >= 1),
  salt bytea not null unique check (octet_length(salt) = 32),
  created_at timestamptz not null,
  -- null: the current one
  expires_at timestamptz,
  primary key (endpoint_id, generation)
);
create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where expires_at is null;

create table webhook_events (
  id bigint generated always as identity primary key,
  -- as receivers know it; random, because a database that was taken back must not give a known id to another event
  event_id text collate "C" not null unique default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  registrar_id bigint not null references registrars,
  type text not null check (type <> ''),
  -- the id of the history row of the change, or one of the same counter
  sequence bigint not null,
  message_id bigint,
  at timestamptz not null,
  data jsonb not null check (jsonb_typeof(data) = 'object')
);
create index webhook_events_registrar on webhook_events (registrar_id, id);
create index webhook_events_at on webhook_events (at);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoints on delete cascade,
  event_id bigint not null references webhook_events on delete cascade,
  state text not null check (state in ('waiting', 'sending', 'delivered', 'failed')),
  attempts int not null default 0 check (attempts >= 0),
  created_at timestamptz not null,
  -- while it is sent: when another worker may take it over
  next_attempt_at timestamptz,
  try_until timestamptz not null,
  finished_at timestamptz,
  last_attempt_at timestamptz,
  last_status int check (last_status between 100 and 999),
  last_error text check (last_error <> ''),
  constraint webhook_deliveries_once unique (endpoint_id, event_id),
  check ((state in ('waiting', 'sending')) = (next_attempt_at is not null)),
  check ((state in ('delivered', 'failed')) = (finished_at is not null)),
  check (state not in ('sending', 'delivered') or attempts > 0),
  check (state <> 'delivered' or last_error is null)
);
create index webhook_deliveries_event on webhook_deliveries (event_id);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, id) where next_attempt_at is not null;
create index webhook_deliveries_next on webhook_deliveries (next_attempt_at) where next_attempt_at is not null;
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, created_at) where state = 'failed';

grant select, insert, update, delete on webhook_endpoints, webhook_secrets, webhook_deliveries to cadastre_app;
grant select, insert, delete on webhook_events to cadastre_app;
-- events without a history row take their sequence from the same counter
grant usage on sequence history_id_seq to cadastre_app;

-- The type of the event that a poll message is. Kinds that are added later follow the rule at the end.
create function webhook_type_of_message(message_type text, is_about_domain boolean) returns text immutable language sql as $$
  select case
    when message_type = 'deleted' then 'domain.released'
    when message_type = 'low_balance' then 'balance.low'
    when message_type = 'debt_incurred' then 'balance.debt'
    when is_about_domain then 'domain.' || message_type
    else regexp_replace(message_type, '^([a-z]+)_', '\1.') end
$$;

-- The type of the event that a change is; null where there is none, or a poll message is the event.
create function webhook_type_of_change(object_kind text, operation text, is_own boolean) returns text immutable language sql as $$
  select case object_kind
    when 'domain' then case
      when operation in ('view transfer code', 'transfer', 'purge', 'remind', 'open dispute', 'close dispute', 'end dispute') then null
      when not is_own then 'domain.updated'
      when operation = 'create' then 'domain.registered'
      when operation = 'renew' then 'domain.renewed'
      when operation = 'delete' then 'domain.deleted'
      when operation = 'ask for deletion' then 'domain.deletion_pending'
      when operation = 'ask for registrant change' then 'domain.update_pending'
      else 'domain.updated' end
    when 'contact' then case operation
      when 'create' then 'contact.created' when 'copy' then 'contact.created'
      when 'update' then 'contact.updated' when 'delete' then 'contact.deleted' end
    when 'user' then case operation
      when 'create' then 'user.created' when 'disable' then 'user.disabled' when 'enable' then 'user.enabled'
      when 'change password' then 'user.password_changed'
      when 'enter certificate' then 'certificate.issued' when 'revoke certificate' then 'certificate.revoked'
      else 'user.updated' end
    end
$$;

create function has_webhook_for(registrar bigint, event_type text) returns boolean stable language plpgsql as $$
begin
  return exists (
    select from webhook_endpoints e
    where e.registrar_id = registrar and e.disabled_at is null and (e.event_types is null or event_type = any(e.event_types)));
end
$$;

create function write_webhook_event(registrar bigint, event_type text, number bigint, message bigint, happened timestamptz, content jsonb)
  returns void language plpgsql as $$
declare
  event bigint;
begin
  insert into webhook_events (registrar_id, type, sequence, message_id, at, data)
  values (registrar, event_type, number, message, happened, jsonb_strip_nulls(content)) returning id into event;
  insert into webhook_deliveries (endpoint_id, event_id, state, created_at, next_attempt_at, try_until)
  select e.id, event, 'waiting', happened, happened, happened + interval '3 days' from webhook_endpoints e
  where e.registrar_id = registrar and e.disabled_at is null and (e.event_types is null or event_type = any(e.event_types));
end
$$;

-- Events are written by the statement that changes something, whichever program and interface runs it. Row by row: each
-- step is then a look-up by an index, however many rows the tables have.
create function write_events_of_history() returns trigger language plpgsql as $$
declare
  h record;
  is_own boolean;
  receiver bigint;
  event_type text;
begin
  if not exists (select from webhook_endpoints where disabled_at is null) then return null; end if;
  for h in select * from new_rows where object_kind in ('domain', 'contact', 'user') order by id loop
    is_own := h.actor ~ '^(user|person|epp):';
    event_type := webhook_type_of_change(h.object_kind, h.operation, is_own);
    continue when event_type is null;
    receiver := h.registrar_id;
    if receiver is null and h.object_kind = 'domain' then
      select d.registrar_id into receiver from domains d where d.id = h.object_id;
    end if;
    continue when receiver is null or not has_webhook_for(receiver, event_type);
    -- A poll message of the same statement is the event then.
    continue when h.object_kind = 'domain' and not is_own and exists (
      select from poll_messages m where m.attached_obj_type = 'Domain' and m.attached_obj_id = h.object_id and m.created_at = h.at);
    perform write_webhook_event(receiver, event_type, h.id, null, h.at, jsonb_build_object(
      'sequence', h.id,
      'object', h.object_kind, 'id', h.object_id, 'name', h.object_name,
      'operation', h.operation,
      'by', case when is_own then 'registrar' when h.actor = 'registrant' then 'registrant' else 'registry' end,
      'request_id', case when is_own then h.request_id end,
      'client_transaction_id', case when is_own then h.client_transaction_id end,
      'changed', case when h.object_kind <> 'user' and h.before is not null and h.after is not null then (
        select coalesce(jsonb_agg(field.key order by field.key), '[]') from jsonb_each(h.after) field
        where h.before -> field.key is distinct from field.value) end,
      'expire_time', case when h.object_kind = 'domain' then h.after -> 'expire_time' end,
      'statuses', case when h.object_kind = 'domain' and jsonb_typeof(h.after -> 'statuses') = 'object' then (
        select coalesce(jsonb_agg(status order by status), '[]') from jsonb_object_keys(h.after -> 'statuses') status) end,
      'serial', case when event_type like 'certificate.%' then h.after -> 'serial' end));
  end loop;
  return null;
end
$$;

create function write_events_of_messages() returns trigger language plpgsql as $$
declare
  m record;
  kind text;
  object_label text;
  event_type text;
  number bigint;
begin
  if not exists (select from webhook_endpoints where disabled_at is null) then return null; end if;
  for m in select * from new_rows order by id loop
    kind := coalesce(m.details ->> 'object',
      case when m.details ->> 'kind' in ('transfer', 'pending action') then 'domain' else lower(m.attached_obj_type) end);
    event_type := webhook_type_of_message(m.type, kind is not distinct from 'domain');
    continue when not has_webhook_for(m.registrar_id, event_type);
    object_label := coalesce(m.details ->> 'name', case m.attached_obj_type
      when 'Domain' then (select d.name from domains d where d.id = m.attached_obj_id)
      when 'Contact' then (select c.code from contacts c where c.id = m.attached_obj_id) end);
    number := coalesce((
      select h.id from history h
      where h.object_kind = kind and h.object_name = object_label and h.at = m.created_at
      order by h.id desc limit 1), nextval('history_id_seq'));
    perform write_webhook_event(m.registrar_id, event_type, number, m.id, m.created_at, jsonb_build_object(
      'sequence', number,
      'message_id', m.id,
      'object', kind, 'id', m.attached_obj_id, 'name', object_label,
      'from', m.details -> 'losing', 'to', m.details -> 'gaining', 'expire_time', m.details -> 'expireTime',
      'request_id', case when m.details ->> 'kind' = 'pending action' then m.details -> 'requestId' end,
      'client_transaction_id', case when m.details ->> 'kind' = 'pending action' then m.details -> 'clientTransactionId' end));
  end loop;
  return null;
end
$$;

create trigger history_write_events after insert on history
  referencing new table as new_rows for each statement execute function write_events_of_history();
create trigger poll_messages_write_events after insert on poll_messages
  referencing new table as new_rows for each statement execute function write_events_of_messages();
