-- The columns that a person of a registrar has chosen for a list of the console, beside its names.
-- compatible: the program before does not know the table

create table chosen_columns (
  person_id bigint not null,
  registrar_id bigint not null,
  list text not null constraint chosen_columns_list check (list in ('domains', 'contacts')),
  -- those that a program does not know are left out
  columns text[] not null constraint chosen_columns_count check (cardinality(columns) <= 30),
  primary key (person_id, registrar_id, list),
  foreign key (person_id, registrar_id) references memberships on delete cascade
);

grant select, insert, update, delete on chosen_columns to cadastre_app;
