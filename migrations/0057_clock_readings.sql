-- The hours in which a worker has read its clock. What is deleted by time was due at a reading of the day before, and a
-- reading that comes more than a day after the one before waits for confirmation.
create table clock_readings (
  hour timestamptz primary key,
  leapt_from timestamptz check (leapt_from < hour),
  confirmed_at timestamptz,
  confirmed_by text,
  reason text,
  check ((confirmed_at is null) = (confirmed_by is null))
);
grant select, insert, update, delete on clock_readings to cadastre_app;

-- Days that a wrong clock has counted before they came are counted again.
grant delete on daily_figures to cadastre_app;
