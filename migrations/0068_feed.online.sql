-- compatible: indexes, and checks of columns that the program before does not write
-- What happened to a registrar, in the order of the transactions that wrote it.
create index concurrently history_feed on history (coalesce(registrar_id, sponsor_id), transaction, id)
  where transaction is not null and coalesce(registrar_id, sponsor_id) is not null;
create index concurrently poll_messages_feed on poll_messages (registrar_id, transaction, sequence) where transaction is not null;
alter table poll_messages validate constraint poll_messages_direction;
alter table domains validate constraint domains_reference;
alter table contacts validate constraint contacts_reference;
