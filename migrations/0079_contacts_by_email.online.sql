-- compatible: an index
-- Of a registrar's contacts those with an e-mail address.
create index concurrently contacts_by_email on contacts (registrar_id, lower(email), id);
