-- History knows who acted; who gained or lost a domain is known by the messages about it.
create index concurrently poll_messages_figures on poll_messages (registrar_id, created_at) include (type)
where type in ('transferred_in', 'transferred_away', 'deleted');
