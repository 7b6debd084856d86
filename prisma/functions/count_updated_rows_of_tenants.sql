-- Counts a plane that is removed or returns, and an object that becomes a tombstone or replaces one. The
-- first argument is as that of `count_rows_of_tenants`.
create or replace function count_updated_rows_of_tenants() returns trigger language plpgsql as $$
declare
  owner text;
  growth bigint;
begin
  select tenant into owner from tenant_planes where plane = new.plane;
  if owner is null then return null; end if;
  if tg_table_name = 'planes' then
    if tenant_of_plane(new.plane) is not null then return null; end if;
    growth := case when new.removed_time is null then 1 else -1 end;
    perform grow_tenants(array[owner], array['planes'], array[growth]);
  else
    growth := case when new.is_tombstone then -1 else 1 end;
    perform grow_tenants(array[owner], array['objects'], array[growth]);
    if new.resource = tg_argv[0] then
      perform grow_tenants(array[owner], array['fleets'], array[growth]);
    end if;
  end if;
  return null;
end
$$;
