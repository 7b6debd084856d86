-- Whether a resource that is not in `known` has one of these references. PostgreSQL plans it for the
-- given patterns in each call: a generic plan would read the whole table.
create or replace function has_unknown_reference(patterns jsonb[], known text[]) returns boolean
language plpgsql volatile set plan_cache_mode = force_custom_plan as $$
begin
  return exists (
    select 1 from resources
    where refs <> '{}' and refs @> any(patterns) and id <> all(known));
end
$$;
