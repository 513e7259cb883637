-- How often the registrant was asked again by mail, and when last.
-- compatible: the program before neither reads nor writes the columns
alter table registrant_requests add column sent_again integer not null default 0;
alter table registrant_requests add column sent_at timestamptz;

-- That a mail was sent again is no change of the domain, and no event.
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
    when 'registrar' then case when operation = 'announce maintenance' then 'maintenance.announced' end
    end
$$;
