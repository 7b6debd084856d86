-- Undoes a statement that finds, after its first write, that a row it had read has changed. The caller
-- tries again.
create or replace function serialization_conflict() returns boolean language plpgsql as $$
begin
  raise exception 'changed since it was read' using errcode = 'serialization_failure';
end
$$;
