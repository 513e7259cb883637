-- The mails about one object; most mails are about none.
create index concurrently mails_object on mails (object_id, registrar_id) where object_id is not null;
