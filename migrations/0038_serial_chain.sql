-- compatible: the program before names its columns, and knows no zones
-- The serial that this one was made from: a chain with a gap is no history of the zone. Null for the first, and for those
-- that were published before this column was there.
alter table zone_serials add column previous_id bigint;
