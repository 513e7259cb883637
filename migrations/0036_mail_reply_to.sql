-- compatible: the program before writes no such column
-- Answers to a forwarded message go to whoever wrote it, not to the registry.
alter table mails add column reply_to text;
alter table mails add constraint mails_reply_to check (reply_to <> '') not valid;
alter table mails validate constraint mails_reply_to;
