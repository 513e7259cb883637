-- What a person of a registrar keeps for itself in the console: lists with their filters, and what is put off.
-- compatible: the program before knows neither the tables nor the column

create table saved_views (
  id bigint generated always as identity primary key,
  person_id bigint not null,
  registrar_id bigint not null,
  list text not null constraint saved_view_list check (list in ('domains', 'contacts', 'messages', 'balance', 'invoices')),
  -- among the tabs of the list; null of one that was removed, and can be brought back
  place smallint constraint saved_view_place check (place between 1 and 20),
  name text not null constraint saved_view_name check (char_length(name) between 1 and 60),
  -- in lower case
  name_key text collate "C" not null,
  -- the parameters of the list; a day is written as its distance from today where it moves along
  query text not null constraint saved_view_query check (char_length(query) between 1 and 2000),
  created_at timestamptz not null,
  foreign key (person_id, registrar_id) references memberships on delete cascade
);
create unique index saved_views_places on saved_views (person_id, registrar_id, list, place);
create unique index saved_views_names on saved_views (person_id, registrar_id, list, name_key) where place is not null;

-- Lines of the overview that a person does not want to see for now.
create table snoozed_lines (
  person_id bigint not null,
  registrar_id bigint not null,
  line text collate "C" not null constraint snoozed_line check (char_length(line) between 1 and 80),
  -- how many things it was about: with more of them it is back at once
  count bigint not null constraint snoozed_count check (count >= 0),
  until timestamptz not null,
  primary key (person_id, registrar_id, line),
  foreign key (person_id, registrar_id) references memberships on delete cascade
);

-- Of a job that tries again what another one could not do.
alter table bulk_jobs add column again_of bigint;

grant select, insert, update, delete on saved_views, snoozed_lines to cadastre_app;
