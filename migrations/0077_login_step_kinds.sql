-- Forms that wait for a login, and links that set a new password.
-- small-table: rows of login_steps live for a day after their hour at most
-- compatible: the program before asks for steps of the kinds that it knows, and deletes all of them by their time
alter table login_steps drop constraint login_steps_kind_check;
alter table login_steps add constraint login_steps_kind_check check (kind in (
  'second factor', 'passkey', 'new passkey', 'new code generator', 'identity provider', 'held form', 'password recovery'));
