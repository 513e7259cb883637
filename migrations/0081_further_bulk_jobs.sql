-- Further changes of many domains: contacts, keys, registrants, and those that take another one back; and the event of a
-- job that is done.
-- compatible: the program before neither knows the tables nor writes the operation

alter table bulk_jobs drop constraint bulk_job_kind;
alter table bulk_jobs add constraint bulk_job_kind
  check (kind in ('renew', 'nameservers', 'contacts', 'tech', 'keys', 'registrant', 'hold', 'transfer', 'undo'));
-- of the server where it was begun: links in mails begin with it
alter table bulk_jobs add column public_url text not null default '';
-- of a renewal, where it has another period than the job
alter table bulk_job_rows add column months int check (months > 0);

create or replace function webhook_type_of_change(object_kind text, operation text, is_own boolean) returns text immutable language sql as $$
  select case object_kind
    when 'domain' then case
      when operation in ('view transfer code', 'transfer', 'purge', 'remind', 'open dispute', 'close dispute', 'end dispute',
        'ask again for registrant change', 'ask again for deletion') then null
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
    when 'registrar' then case operation
      when 'announce maintenance' then 'maintenance.announced' when 'finish bulk job' then 'job.finished' end
    end
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
    when 'job.finished' then jsonb_build_object(
      'sequence', h.id,
      'job', h.after -> 'job',
      'kind', h.after -> 'kind',
      'total', h.after -> 'total',
      'changed', h.after -> 'changed',
      'unchanged', h.after -> 'unchanged',
      'refused', h.after -> 'refused',
      'request_id', h.request_id)
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
