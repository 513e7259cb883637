-- Stands behind every statement that writes, and before every commit: what comes to its end after its client has given
-- up waiting is undone. No table and no rule is concerned, so this is the one place that may ask the server's clock.
create function require_in_time(begun timestamptz, begin_by timestamptz, end_by timestamptz) returns boolean
language plpgsql volatile parallel restricted as $$
begin
  if begun > begin_by or pg_catalog.clock_timestamp() > end_by then
    raise exception 'the deadline of the statement has passed' using errcode = 'ZD001';
  end if;
  return false;
end
$$;
