-- A list of names or codes is read from the index it is sorted by; looking each of them up in its table costs more than
-- the rest, and the more the larger the registry.
drop index domains_by_created;
create index domains_by_created on domains (registrar_id, created_at, id) include (name);
drop index domains_by_expiry;
create index domains_by_expiry on domains (registrar_id, expire_time, id) include (name);
drop index contacts_by_created;
create index contacts_by_created on contacts (registrar_id, created_at, id) include (code);
drop index contacts_by_code;
create index contacts_by_code on contacts (registrar_id, code_key, id) include (code, name_key, created_at);
drop index contacts_by_name;
create index contacts_by_name on contacts (registrar_id, name_key, id) include (code, code_key, created_at);
