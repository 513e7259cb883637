-- The list of all messages in the registrars' console; that of the unread ones has an index of its own.
create index concurrently poll_messages_newest on poll_messages (registrar_id, created_at desc, id desc);
