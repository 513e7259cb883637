-- compatible: an index
-- Of a registrar's domains those that were changed since a time.
create index concurrently domains_by_update on domains (registrar_id, updated_at, id);
