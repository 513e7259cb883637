-- A secondary that asks for the SOA only has the zone already, or cannot transfer it: its serial is not known.
-- compatible: the release before has no such table
alter table dns_secondary_serials alter column serial drop not null;
