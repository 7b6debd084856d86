-- The tenant whose root plane has this ID; null for every other plane. Servers encode it in
-- src/access/tenant-plane.ts.
create or replace function tenant_of_plane(plane text) returns text
language sql immutable strict parallel safe
return case when plane like 'root.%' then convert_from(
  decode(rpad(translate(substr(plane, 6), '-_', '+/'), (length(plane) - 5 + 3) / 4 * 4, '='), 'base64'),
  'UTF8') end;
