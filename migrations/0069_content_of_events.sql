-- What an event says, for webhooks and for the feed that is read from history and messages: the same content from the
-- same rows. Times are as in the REST API; the session has the registry's zone.
-- compatible: the program before calls none of the functions; its webhooks get the new content, as those of this one do

create function time_of_event(moment timestamptz) returns text stable language sql as $$
  select to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')
$$;

create function is_own_change(h history) returns boolean immutable language sql as $$
  select h.actor ~ '^(user|person|epp):'
$$;

-- Whether a poll message of the same statement is the event; messages about a domain that is gone have its name only.
create function is_told_by_message(h history) returns boolean stable language sql as $$
  select h.object_kind = 'domain' and not is_own_change(h) and (
    exists (
      select from poll_messages m where m.attached_obj_type = 'Domain' and m.attached_obj_id = h.object_id and m.created_at = h.at)
    or not exists (select from domains d where d.id = h.object_id) and exists (
      select from poll_messages m
      where m.registrar_id = coalesce(h.registrar_id, h.sponsor_id) and m.created_at = h.at and m.domain = h.object_name))
$$;

-- Null if a change is no event of its own.
create function event_type_of_change(h history) returns text stable language sql as $$
  select case when not is_told_by_message(h) then webhook_type_of_change(h.object_kind, h.operation, is_own_change(h)) end
$$;

-- The stored statuses after a change with those that are computed.
create function statuses_after_change(h history) returns jsonb stable language sql as $$
  select case when whole = '{}' then '{"ok": ""}' else whole end from (
    select h.after -> 'statuses'
      || case when coalesce(h.after -> 'nameservers', '[]') = '[]' then '{"inactive": ""}' else '{}'::jsonb end
      || case when exists (
          select from disputes x where x.name = h.object_name and x.starts_at <= h.at and x.expires_at > h.at and (x.closed_at is null or x.closed_at > h.at))
        then '{"disputed": ""}' else '{}'::jsonb end as whole) as computed
$$;

create function event_of_change(h history, event_type text) returns jsonb stable language sql as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'sequence', h.id,
    'object', h.object_kind, 'id', h.object_id, 'name', h.object_name,
    'domain', case when h.object_kind = 'domain' then h.object_name end,
    'contact', case when h.object_kind = 'contact' then h.object_name end,
    'operation', h.operation,
    'by', case when is_own_change(h) then 'registrar' when h.actor = 'registrant' then 'registrant' else 'registry' end,
    'request_id', case when is_own_change(h) then h.request_id end,
    'client_transaction_id', case when is_own_change(h) then h.client_transaction_id end,
    'idempotency_key', case when is_own_change(h) then h.idempotency_key end,
    'amount', case when event_type in ('domain.registered', 'domain.renewed') then (
      select to_char(e.amount / 100.0, 'FM999999999999990.00') from ledger_entries e where e.history_id = h.id) end,
    'changed', case when h.object_kind <> 'user' and h.before is not null and h.after is not null then (
      select coalesce(jsonb_agg(field.key order by field.key), '[]') from jsonb_each(h.after) field
      where h.before -> field.key is distinct from field.value and field.key <> 'hold_causes') end,
    'expire_time', case when h.object_kind = 'domain' then time_of_event((h.after ->> 'expire_time')::timestamptz) end,
    'statuses', case when h.object_kind = 'domain' and jsonb_typeof(h.after -> 'statuses') = 'object' then statuses_after_change(h) end,
    'serial', case when event_type like 'certificate.%' then h.after -> 'serial' end))
$$;

create function object_of_message(m poll_messages) returns text immutable language sql as $$
  select case
    when m.domain is not null then 'domain'
    when m.contact is not null then 'contact'
    else coalesce(m.details ->> 'object',
      case when m.details ->> 'kind' in ('transfer', 'pending action') then 'domain' else lower(m.attached_obj_type) end) end
$$;

create function event_type_of_message(m poll_messages) returns text immutable language sql as $$
  select webhook_type_of_message(m.type, object_of_message(m) is not distinct from 'domain')
$$;

create function event_of_message(m poll_messages) returns jsonb stable language sql as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'sequence', m.sequence,
    'message_id', m.id,
    'object', object_of_message(m), 'id', m.attached_obj_id, 'name', label,
    'domain', case when object_of_message(m) = 'domain' then label end,
    'contact', case when object_of_message(m) = 'contact' then label end,
    'invoice_number', m.invoice_number,
    'amount', to_char(m.amount / 100.0, 'FM999999999999990.00'),
    'direction', m.direction,
    'from', m.details -> 'losing', 'to', m.details -> 'gaining',
    'expire_time', time_of_event((m.details ->> 'expireTime')::timestamptz),
    'request_id', case when m.details ->> 'kind' = 'pending action' then m.details -> 'requestId' end,
    'client_transaction_id', case when m.details ->> 'kind' = 'pending action' then m.details -> 'clientTransactionId' end,
    'idempotency_key', m.idempotency_key))
  from (select coalesce(m.domain, m.contact, m.details ->> 'name', case m.attached_obj_type
    when 'Domain' then (select d.name from domains d where d.id = m.attached_obj_id)
    when 'Contact' then (select c.code from contacts c where c.id = m.attached_obj_id) end) as label) as named
$$;

create or replace function write_events_of_history() returns trigger language plpgsql as $$
declare
  h history;
  receiver bigint;
  event_type text;
begin
  if not exists (select from webhook_endpoints where disabled_at is null) then return null; end if;
  for h in select * from new_rows where object_kind in ('domain', 'contact', 'user') order by id loop
    event_type := webhook_type_of_change(h.object_kind, h.operation, is_own_change(h));
    continue when event_type is null;
    receiver := coalesce(h.registrar_id, h.sponsor_id);
    if receiver is null and h.object_kind = 'domain' then
      select d.registrar_id into receiver from domains d where d.id = h.object_id;
    end if;
    continue when receiver is null or not has_webhook_for(receiver, event_type) or is_told_by_message(h);
    perform write_webhook_event(receiver, event_type, h.id, null, h.at, event_of_change(h, event_type));
  end loop;
  return null;
end
$$;

create or replace function write_events_of_messages() returns trigger language plpgsql as $$
declare
  m poll_messages;
  event_type text;
begin
  if not exists (select from webhook_endpoints where disabled_at is null) then return null; end if;
  for m in select * from new_rows order by id loop
    event_type := event_type_of_message(m);
    continue when not has_webhook_for(m.registrar_id, event_type);
    perform write_webhook_event(m.registrar_id, event_type, m.sequence, m.id, m.created_at, event_of_message(m));
  end loop;
  return null;
end
$$;
