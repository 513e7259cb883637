-- What messages and changes are about, in columns of their own, and in which order transactions wrote them: a feed of
-- events is read from both. References are the registrar's own notes on its objects.
-- compatible: the program before writes and reads none of them; they are null, or have defaults
alter table history add column idempotency_key text;
-- of a domain that the registry changed: whose it was
alter table history add column sponsor_id bigint;
alter table history add column transaction xid8;
alter table history alter column transaction set default pg_current_xact_id();

alter table poll_messages add column domain text;
alter table poll_messages add column contact text;
alter table poll_messages add column invoice_number bigint;
-- in cents
alter table poll_messages add column amount bigint;
alter table poll_messages add column direction text;
alter table poll_messages add column idempotency_key text;
-- from the counter of history: of the event that a message is
alter table poll_messages add column sequence bigint;
alter table poll_messages alter column sequence set default nextval('history_id_seq');
alter table poll_messages add column transaction xid8;
alter table poll_messages alter column transaction set default pg_current_xact_id();
alter table poll_messages add constraint poll_messages_direction check (direction in ('in', 'out')) not valid;

alter table registrant_requests add column idempotency_key text;

alter table domains add column reference text;
alter table domains add constraint domains_reference check (char_length(reference) between 1 and 255) not valid;
alter table contacts add column reference text;
alter table contacts add constraint contacts_reference check (char_length(reference) between 1 and 255) not valid;

-- Numbers of transactions mean something within one cluster: an era ends where a copy of the database takes its place.
-- Events up to this sequence belong to the eras before. The first era has no row.
create table event_eras (
  era int primary key check (era > 1),
  begins_after bigint not null
);
grant select, insert on event_eras to cadastre_app;

-- What had been written when: everything of transactions below this one.
create table event_marks (
  at timestamptz primary key,
  era int not null check (era >= 1),
  transaction xid8 not null
);
grant select, insert, delete on event_marks to cadastre_app;
