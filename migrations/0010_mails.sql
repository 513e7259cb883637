-- Mails on their way out, written in the transaction that causes them and sent by a worker afterwards.
create table mails (
  id bigint generated always as identity primary key,
  -- the same at every attempt: whoever gets a mail twice can tell
  message_id uuid not null default gen_random_uuid() unique,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  created_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- set ahead when an attempt begins, so that one cut off by a crash is made again
  next_attempt_at timestamptz not null,
  try_until timestamptz not null,
  sent_at timestamptz,
  gave_up_at timestamptz,
  last_error text,
  check (sent_at is null or gave_up_at is null)
);
create index mails_due on mails (next_attempt_at, id) where sent_at is null and gave_up_at is null;
create index mails_sent on mails (sent_at, id) where sent_at is not null;
create index mails_given_up on mails (gave_up_at, id) where gave_up_at is not null;

grant select, insert, update, delete on mails to cadastre_app;
