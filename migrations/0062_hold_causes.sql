-- Why a domain has serverHold: it stands while any cause does.
-- compatible: the program before writes statuses alone; the triggers find the cause that it means, and keep the others

-- A constant, so that no row is written.
alter table domains add column hold_causes jsonb not null default '[]';
-- Rows from before are filled by 0063, or by their next change.
alter table domains add constraint domains_hold_causes check ((statuses ? 'serverHold') = (hold_causes <> '[]')) not valid;

-- The same by cause, and since when. Written by the statement that changes the causes of a domain, whichever program runs it.
create table domain_hold_causes (
  domain_id bigint not null references domains on delete cascade,
  cause text collate "C" not null check (cause in ('expiry', 'registry')),
  since timestamptz not null,
  primary key (domain_id, cause)
);
create index domain_hold_causes_cause on domain_hold_causes (cause, domain_id);
grant select, insert, delete on domain_hold_causes to cadastre_app;

create function hold_cause_of(statuses jsonb, outzone_at timestamptz, at timestamptz) returns text immutable language sql as $$
  select case when statuses ->> 'serverHold' = '' and outzone_at <= at then 'expiry' else 'registry' end
$$;

-- For a writer that knows statuses alone. What it set has the cause that note and dates tell; what it removed is the cause
-- that ends with its change, and the hold of any other stays.
create function find_hold_causes() returns trigger language plpgsql as $$
declare
  ended text;
begin
  if new.statuses ? 'serverHold' then
    if new.hold_causes = '[]' then
      new.hold_causes := jsonb_build_array(hold_cause_of(new.statuses, new.outzone_at, new.updated_at));
    elsif not new.hold_causes ? 'registry' then
      new.hold_causes := new.hold_causes || '["registry"]';
    end if;
    return new;
  end if;
  -- A renewal moves the expiry, a restored domain leaves the zone later or not at all.
  ended := case when new.expire_time > old.expire_time or (old.outzone_at is not null and (new.outzone_at is null or new.outzone_at > new.updated_at))
    then 'expiry' else 'registry' end;
  if ended = 'expiry' or new.hold_causes ? 'registry' then
    new.hold_causes := new.hold_causes - ended;
  else
    new.hold_causes := '[]';
  end if;
  if new.hold_causes <> '[]' then
    new.statuses := jsonb_build_object('serverHold', case when ended = 'expiry' then coalesce(old.statuses ->> 'serverHold', '') else '' end) || new.statuses;
  end if;
  return new;
end
$$;
create trigger domains_hold_causes_inserted before insert on domains for each row
  when (new.statuses ? 'serverHold' and new.hold_causes = '[]') execute function find_hold_causes();
create trigger domains_hold_causes_updated before update on domains for each row
  when (new.hold_causes = old.hold_causes and ((new.statuses ? 'serverHold') <> (new.hold_causes <> '[]')
    or (new.statuses ->> 'serverHold' <> old.statuses ->> 'serverHold' and new.statuses ->> 'serverHold' <> '')))
  execute function find_hold_causes();

create function write_hold_causes() returns trigger language plpgsql as $$
begin
  delete from domain_hold_causes c where c.domain_id = new.id and not new.hold_causes ? c.cause;
  insert into domain_hold_causes (domain_id, cause, since)
  select new.id, cause, new.updated_at from jsonb_array_elements_text(new.hold_causes) as cause
  on conflict do nothing;
  return null;
end
$$;
create trigger domains_hold_causes_first after insert on domains for each row
  when (new.hold_causes <> '[]') execute function write_hold_causes();
create trigger domains_hold_causes_changed after update on domains for each row
  when (old.hold_causes <> new.hold_causes) execute function write_hold_causes();

-- Causes are for operators: the events of registrars do not name them.
create or replace function write_events_of_history() returns trigger language plpgsql as $$
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
        where h.before -> field.key is distinct from field.value and field.key <> 'hold_causes') end,
      'expire_time', case when h.object_kind = 'domain' then h.after -> 'expire_time' end,
      'statuses', case when h.object_kind = 'domain' and jsonb_typeof(h.after -> 'statuses') = 'object' then (
        select coalesce(jsonb_agg(status order by status), '[]') from jsonb_object_keys(h.after -> 'statuses') status) end,
      'serial', case when event_type like 'certificate.%' then h.after -> 'serial' end));
  end loop;
  return null;
end
$$;
