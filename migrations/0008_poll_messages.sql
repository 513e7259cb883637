create table poll_messages (
  id bigint generated always as identity primary key,
  registrar_id bigint not null references registrars,
  type text not null,
  text text not null,
  attached_obj_type text,
  attached_obj_id bigint,
  created_at timestamptz not null,
  read_at timestamptz,
  check ((attached_obj_type is null) = (attached_obj_id is null))
);
create index poll_messages_unread on poll_messages (registrar_id, created_at desc, id desc) where read_at is null;
