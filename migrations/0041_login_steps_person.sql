-- small-table: rows of login_steps live for minutes, and no released program writes any
-- Wrong codes are counted per person, and the steps of a person are deleted with its password.
create index login_steps_person on login_steps (person_id, created_at);
