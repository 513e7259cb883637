-- Up to which expiry registrars were told that their domains are about to expire: one row, or none where nobody was.
-- compatible: the program before does not know the table
create table expiry_notices (
  is_one boolean primary key default true check (is_one),
  expire_time timestamptz not null,
  -- of the domains that expire then, the last one
  domain_id bigint not null
);
grant select, insert, update on expiry_notices to cadastre_app;
