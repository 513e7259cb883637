-- What a mail is about, whose it is and in which role its recipient gets it, for the timeline of the console. Mails from
-- before have none.
-- compatible: the program before writes no such columns
alter table mails add column object_kind text;
alter table mails add column object_id bigint;
alter table mails add column registrar_id bigint;
alter table mails add column recipient_role text;
alter table mails add constraint mails_object check (num_nonnulls(object_kind, object_id, registrar_id, recipient_role) in (0, 4)) not valid;
alter table mails validate constraint mails_object;
