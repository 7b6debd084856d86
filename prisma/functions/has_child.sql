-- Whether a resource has a child, being deleted or not.
create or replace function has_child(parent text) returns boolean
language plpgsql volatile as $$
begin
  return exists (select 1 from resources where owner_id = parent and owner_id <> '');
end
$$;
