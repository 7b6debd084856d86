-- The part of a condition that the history compares and stores.
create or replace function condition_state(condition json) returns json language sql immutable parallel safe as $$
  select json_strip_nulls(json_build_object(
    'status', condition -> 'status',
    'reason', condition -> 'reason',
    'message', condition -> 'message'))
$$;
