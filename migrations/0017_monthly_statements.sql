-- A registrar's account over one month, as the ledger had it then. Amounts are cents.
create table monthly_statements (
  registrar_id bigint not null references registrars,
  month date not null check (extract(day from month) = 1),
  currency text not null,
  opening bigint not null check (opening >= 0),
  -- what the lines come to
  moved bigint not null,
  closing bigint not null check (closing >= 0),
  opening_debt bigint not null check (opening_debt >= 0),
  debt_grown bigint not null check (debt_grown >= 0),
  debt_repaid bigint not null check (debt_repaid >= 0),
  closing_debt bigint not null check (closing_debt >= 0),
  made_at timestamptz not null,
  -- nobody where there is nothing to tell, or no address
  mail_to text,
  mailed_at timestamptz,
  primary key (registrar_id, month),
  check (opening + moved = closing),
  check (opening_debt + debt_grown - debt_repaid = closing_debt),
  check (mailed_at is null or mail_to is not null)
);
create index monthly_statements_month on monthly_statements (month);
create index monthly_statements_to_mail on monthly_statements (month, registrar_id) where mail_to is not null and mailed_at is null;

create table monthly_statement_lines (
  registrar_id bigint not null,
  month date not null,
  position integer not null check (position > 0),
  kind text not null check (kind in ('opening', 'create', 'renew', 'top-up', 'refund', 'correction', 'other')),
  -- of registrations and renewals
  zone text,
  months integer,
  count integer not null check (count > 0),
  -- above zero in favour of the registrar
  sum bigint not null,
  primary key (registrar_id, month, position),
  foreign key (registrar_id, month) references monthly_statements,
  check ((kind in ('create', 'renew')) = (zone is not null and months is not null))
);

-- What moves debts is among the entries that move no balance.
create index ledger_entries_shared on ledger_entries (at) where registrar_id is null;

-- What goes along with a mail, and goes with it when it is forgotten.
create table mail_attachments (
  mail_id bigint not null references mails on delete cascade,
  position integer not null check (position > 0),
  name text not null,
  media_type text not null,
  content bytea not null,
  primary key (mail_id, position)
);

-- Neither is ever changed, but for the note that a statement was mailed.
grant select, insert on monthly_statements, monthly_statement_lines to cadastre_app;
grant update (mailed_at) on monthly_statements to cadastre_app;
grant select, insert on mail_attachments to cadastre_app;
