-- Whether one of the parents has a child that is not being deleted and is not in `known`.
create or replace function has_unknown_child(parents text[], known text[]) returns boolean
language plpgsql volatile as $$
begin
  return exists (
    select 1 from resources
    where owner_id = any(parents) and owner_id <> '' and deleted_time is null and id <> all(known));
end
$$;
