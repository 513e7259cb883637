-- What a registrar changed, newest first, by actor.
create index concurrently history_registrar on history (registrar_id, at, id) include (actor) where registrar_id is not null;
