-- compatible: an index
create index concurrently history_case_number on history (case_number, id) where case_number is not null;
