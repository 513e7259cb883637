-- What the life of a domain needs beyond its registration: when it is due for the next step, and why.
alter table domains
  -- a deleteCandidate goes at this moment
  add column purge_at timestamptz,
  -- the registrant was reminded of the present expiry
  add column reminded_at timestamptz,
  add column force_delete_start date,
  -- kind, reason, and what is needed to take it back
  add column force_delete jsonb check (jsonb_typeof(force_delete) = 'object'),
  add check (force_delete is not null or (force_delete_start is null and force_delete_date is null)),
  add check (purge_at is null or statuses ? 'deleteCandidate');

create index domains_to_expire on domains (expire_time, id) where not statuses ? 'expired';
create index domains_to_remind on domains (expire_time, id) where statuses ? 'expired' and reminded_at is null;
create index domains_to_outzone on domains (outzone_at, id)
  where outzone_at is not null and not statuses ?| array['serverHold', 'serverManualInzone'];
create index domains_to_release on domains (delete_date, id)
  where delete_date is not null and not statuses ?| array['deleteCandidate', 'serverReleaseProhibited'];
create index domains_to_force_delete on domains (force_delete_date, id)
  where force_delete_date is not null and not statuses ?| array['deleteCandidate', 'serverReleaseProhibited'];
create index domains_under_force_delete on domains (force_delete_start, id) where force_delete_start is not null;
create index domains_to_purge on domains (purge_at, id) where purge_at is not null;

-- A request to the registrant stays after it was decided, so that its link can tell what became of it.
alter table registrant_requests drop constraint registrant_requests_pkey;
alter table registrant_requests drop constraint registrant_requests_check;
alter table registrant_requests drop constraint registrant_requests_new_registrant_id_fkey;
alter table registrant_requests
  add column id bigint generated always as identity primary key,
  -- SHA-256 of the token in the link
  add column token_hash bytea unique,
  add column closed_at timestamptz,
  add column outcome text check (outcome in ('confirmed', 'rejected', 'lapsed', 'failed', 'withdrawn')),
  add foreign key (new_registrant_id) references contacts on delete set null,
  add check ((closed_at is null) = (outcome is null));
create unique index registrant_requests_open on registrant_requests (domain_id) where closed_at is null;
create index registrant_requests_domain on registrant_requests (domain_id);
drop index registrant_requests_lapse;
create index registrant_requests_lapse on registrant_requests (lapses_at, domain_id) where closed_at is null;

-- A contact that nobody has used for long is archived; copies are made only of what is not there already.
alter table contacts add column last_linked_at timestamptz;
create index contacts_idle on contacts ((coalesce(last_linked_at, created_at)), id);
create index contacts_alike on contacts (registrar_id, ident, ident_type, ident_country_code, name_key);

-- Below this balance a registrar is told, once each time it falls below.
alter table registrars add column low_balance bigint check (low_balance >= 0);

-- Messages about an object that is gone point at nothing.
create index poll_messages_attached on poll_messages (attached_obj_type, attached_obj_id) where attached_obj_id is not null;
