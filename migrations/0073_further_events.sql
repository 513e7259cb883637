-- Events that are no poll messages: a domain that is about to expire, a payment that failed, an announced maintenance.
-- compatible: the program before writes none of the operations; what it writes has the same events as before

create or replace function webhook_type_of_change(object_kind text, operation text, is_own boolean) returns text immutable language sql as $$
  select case object_kind
    when 'domain' then case
      when operation in ('view transfer code', 'transfer', 'purge', 'remind', 'open dispute', 'close dispute', 'end dispute') then null
      when operation = 'expiring' then 'domain.expiring'
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
    when 'invoice' then case when operation = 'payment failed' then 'invoice.payment_failed' end
    when 'registrar' then case when operation = 'announce maintenance' then 'maintenance.announced' end
    end
$$;

-- Null if a change is no event of its own. What is told ahead of time is one, whatever else happened at the same time.
create or replace function event_type_of_change(h history) returns text stable language sql as $$
  select case when h.operation = 'expiring' or not is_told_by_message(h)
    then webhook_type_of_change(h.object_kind, h.operation, is_own_change(h)) end
$$;

create or replace function event_of_change(h history, event_type text) returns jsonb stable language sql as $$
  select jsonb_strip_nulls(case event_type
    when 'invoice.payment_failed' then jsonb_build_object(
      'sequence', h.id,
      'invoice_number', h.object_id,
      'amount', to_char((h.after ->> 'amount')::bigint / 100.0, 'FM999999999999990.00'))
    when 'maintenance.announced' then jsonb_build_object(
      'sequence', h.id,
      'starts_at', time_of_event((h.after ->> 'starts_at')::timestamptz),
      'ends_at', time_of_event((h.after ->> 'ends_at')::timestamptz),
      'text', h.after -> 'text')
    else jsonb_build_object(
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
        'serial', case when event_type like 'certificate.%' then h.after -> 'serial' end) end)
$$;

create or replace function write_events_of_history() returns trigger language plpgsql as $$
declare
  h history;
  receiver bigint;
  event_type text;
begin
  if not exists (select from webhook_endpoints where disabled_at is null) then return null; end if;
  for h in select * from new_rows where object_kind in ('domain', 'contact', 'user', 'invoice', 'registrar') order by id loop
    event_type := webhook_type_of_change(h.object_kind, h.operation, is_own_change(h));
    continue when event_type is null;
    receiver := coalesce(h.registrar_id, h.sponsor_id);
    if receiver is null and h.object_kind = 'domain' then
      select d.registrar_id into receiver from domains d where d.id = h.object_id;
    end if;
    continue when receiver is null or not has_webhook_for(receiver, event_type) or event_type_of_change(h) is null;
    perform write_webhook_event(receiver, event_type, h.id, null, h.at, event_of_change(h, event_type));
  end loop;
  return null;
end
$$;
