-- Root planes have no resource. Older servers take them for planes of removed
-- clusters, and would delete their objects. Only a tenant that has departed leaves its root plane.
create or replace function keep_root_planes() returns trigger language plpgsql as $$
begin
  if not exists (
    select 1 from tenant_states
    where tenant = tenant_of_plane(new.plane) and state = 'departed') then
    raise exception 'the root plane % of a tenant is not removed', new.plane;
  end if;
  return new;
end
$$;
