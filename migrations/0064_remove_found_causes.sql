-- removes: find_hold_causes with its triggers and hold_cause_of, unused since 0.3.0
-- Programs write the causes of a hold themselves; one that writes a hold without its cause is refused by domains_hold_causes.
drop trigger domains_hold_causes_inserted on domains;
drop trigger domains_hold_causes_updated on domains;
drop function find_hold_causes();
drop function hold_cause_of(jsonb, timestamptz, timestamptz);
