-- The conditions whose status, reason or message differ, in the order of the newer ones. Null if
-- there is none.
create or replace function condition_differences(old json, new json) returns json
language sql immutable parallel safe as $$
  select json_agg(json_build_object('type', type, 'old', old_state, 'new', new_state) order by position)
  from (
    select type, older.state as old_state, newer.state as new_state,
      coalesce(newer.position, older.position + 1000000) as position
    from (
      select value ->> 'type' as type, condition_state(value) as state, position
      from json_array_elements(new) with ordinality as listed (value, position)
    ) as newer
    full join (
      select value ->> 'type' as type, condition_state(value) as state, position
      from json_array_elements(old) with ordinality as listed (value, position)
    ) as older using (type)
    where newer.state::text is distinct from older.state::text
  ) as different
$$;
