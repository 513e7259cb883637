-- Registrars whose clients were written for the incumbent's API can be given a compatibility profile.
alter table registrars add column compatibility boolean not null default false;
