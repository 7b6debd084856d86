-- Removes the doomed resources, then every ancestor that is finished and has no child left, nearest
-- first. Locks from the top down. Raises 40001 if a row has another version than the one that was
-- read. Returns the IDs of the removed resources.
create or replace function remove_resources(
  doomed text[], doomed_versions bigint[],
  ancestors text[], ancestor_versions bigint[], finished boolean[]
) returns text[]
language plpgsql volatile as $$
declare
  ids text[];
  versions bigint[];
  held bigint;
  removed text[] := doomed;
begin
  select array_agg(id order by place desc), array_agg(version order by place desc)
  into ids, versions
  from unnest(ancestors, ancestor_versions) with ordinality as above (id, version, place);
  ids := coalesce(ids, '{}') || doomed;
  versions := coalesce(versions, '{}') || doomed_versions;
  for place in 1 .. cardinality(ids) loop
    select version into held from resources where id = ids[place] for update;
    if held is distinct from versions[place] then perform serialization_conflict(); end if;
  end loop;
  delete from resources where id = any(doomed);
  if exists (select 1 from resources where owner_id = any(doomed) and owner_id <> '') then
    perform serialization_conflict();
  end if;
  for place in 1 .. cardinality(ancestors) loop
    exit when not finished[place]
      or exists (
        select 1 from resources where owner_id = ancestors[place] and owner_id <> '');
    delete from resources where id = ancestors[place];
    removed := removed || ancestors[place];
  end loop;
  return removed;
end
$$;
