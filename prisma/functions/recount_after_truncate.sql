-- `truncate` fires no trigger of a row.
create or replace function recount_after_truncate() returns trigger language plpgsql as $$
begin
  perform recount_resources();
  return null;
end
$$;
