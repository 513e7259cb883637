-- What became of the domains of each registrar on each day that is over, counted from history and messages.
create table daily_figures (
  registrar_id bigint not null references registrars,
  day date not null,
  registered int not null check (registered >= 0),
  renewed int not null check (renewed >= 0),
  transferred_in int not null check (transferred_in >= 0),
  transferred_out int not null check (transferred_out >= 0),
  deleted int not null check (deleted >= 0),
  primary key (registrar_id, day)
);
create index daily_figures_day on daily_figures (day);
grant select, insert on daily_figures to cadastre_app;
