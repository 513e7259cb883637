-- The feed of events: it is read from history and messages, up to where every transaction has ended.
-- compatible: the program before writes no marks; its webhooks get the new ids, which are as unique as those before

-- Of what was written last when a mark was made, and the timeline of the server: after a failover it is another.
alter table event_marks add column sequence bigint;
alter table event_marks add column timeline bigint;

-- The same event has the same id in the feed and in webhooks. A database that was taken back can give a sequence or a
-- transaction's number to another event, but not at the same time.
create function id_of_event(sequence bigint, transaction xid8, moment timestamptz) returns text stable language sql as $$
  select 'msg_' || md5(sequence::text || ' ' || transaction::text || ' ' || extract(epoch from moment)::text)
$$;

create or replace function write_webhook_event(registrar bigint, event_type text, number bigint, message bigint, happened timestamptz, content jsonb)
returns void language plpgsql as $$
declare
  event bigint;
begin
  insert into webhook_events (event_id, registrar_id, type, sequence, message_id, at, data)
  values (id_of_event(number, pg_current_xact_id(), happened), registrar, event_type, number, message, happened, jsonb_strip_nulls(content))
  returning id into event;
  insert into webhook_deliveries (endpoint_id, event_id, state, created_at, next_attempt_at, try_until)
  select e.id, event, 'waiting', happened, happened, happened + interval '3 days' from webhook_endpoints e
  where e.registrar_id = registrar and e.disabled_at is null and (e.event_types is null or event_type = any(e.event_types));
end
$$;
