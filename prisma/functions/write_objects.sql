-- Applies writes, each with its own revision of its plane, and returns an outcome for each. At most
-- one write per key. A plane without a row starts at its element of `starts`. A write may name a
-- fence: an object that must still have a uid and a number in its spec.
--
-- Locks the epoch (shared), then the planes in order, then the objects of fences (shared). Every
-- write of a plane takes its lock, so the statements after it read the newest objects, and nothing
-- can change until the commit. Writes to several planes wait for none: the outcome of a write to a
-- plane that another transaction has locked is `locked`.
create or replace function write_objects(wanted_planes text[], starts bigint[], writes json, fences json)
returns table (write_position integer, outcome text, new_revision bigint)
language plpgsql volatile
-- A plan for these values would cost more than the writes. The plan is kept, possibly from a time
-- when the tables were small, so it must use their indexes.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  floor_revision bigint;
  locked_planes text[];
  locked_revisions bigint[];
  removed_planes text[];
  valid_fences integer[];
begin
  perform pg_advisory_xact_lock_shared(7305188024);
  select object_head.floor into floor_revision from object_head;
  loop
    if cardinality(wanted_planes) = 1 then
      select array[planes.plane], array[planes.revision],
        case when planes.removed_time is null then '{}' else array[planes.plane] end
      into locked_planes, locked_revisions, removed_planes
      from planes where planes.plane = wanted_planes[1] for update;
    else
      select array_agg(held.plane), array_agg(held.revision),
        array_agg(held.plane) filter (where held.removed_time is not null)
      into locked_planes, locked_revisions, removed_planes
      from (
        select planes.plane, planes.revision, planes.removed_time from planes
        where planes.plane = any(wanted_planes)
        order by planes.plane for update skip locked
      ) as held;
    end if;
    exit when cardinality(locked_planes) = cardinality(wanted_planes);
    insert into planes (plane, revision, compacted)
    select missing.plane, greatest(missing.start, floor_revision),
      greatest(missing.start, floor_revision)
    from unnest(wanted_planes, starts) as missing (plane, start)
    where not exists (select 1 from planes where planes.plane = missing.plane)
    order by missing.plane
    on conflict (plane) do nothing;
    exit when not found;
  end loop;
  if fences is not null then
    with held as materialized (
      select wanted.fence
      from json_to_recordset(fences) as wanted (
        fence integer, plane text, resource text, namespace text, name text, uid text, path text[],
        number text)
      join objects on objects.plane = wanted.plane and objects.resource = wanted.resource
        and objects.namespace = wanted.namespace and objects.name = wanted.name
      where objects.uid = wanted.uid and not objects.is_tombstone
        and coalesce(objects.body #>> wanted.path, '0') = wanted.number
      for share of objects
    )
    select array_agg(held.fence) into valid_fences from held;
  end if;
  return query
  with input as materialized (
    select * from json_to_recordset(writes) as input (
      position integer, parent integer, type text, plane text, resource text, namespace text, name text,
      uid text, expected_revision bigint, is_computed boolean, needs_namespace boolean,
      is_namespace_computed boolean, leaves_tombstone boolean, body json, managed_fields json, labels jsonb, owner_uids text[],
      created_time timestamptz, deleted_time timestamptz, before json, fence integer,
      max_objects integer)
  ), found as materialized (
    select input.*, current.row_id, locked.revision as plane_revision,
      case
        when locked.plane is null then 'locked'
        when input.plane = any(removed_planes) then 'plane-removed'
        when input.fence is not null and input.fence <> all(coalesce(valid_fences, '{}')) then 'fenced'
        when input.type = 'create' then case
          when current.is_object or (current.row_id is null and input.is_computed) then 'exists'
          -- At most one record of a resource and namespace has a limit, so the count is exact.
          when input.max_objects is not null and input.max_objects <= (
            select count(*) from (
              select 1 from objects
              where objects.plane = input.plane and objects.resource = input.resource
                and objects.namespace = input.namespace and not objects.is_tombstone
              limit input.max_objects) as counted) then 'limit-exceeded'
          when not input.needs_namespace then 'written'
          when space.is_live is null then case
            when input.is_namespace_computed then 'written' else 'namespace-missing' end
          when space.is_live then 'written'
          when space.is_object then 'namespace-terminating'
          else 'namespace-missing' end
        when input.expected_revision is null then case
          when current.row_id is null then 'written' else 'conflict' end
        when current.is_object and current.revision = input.expected_revision
          and current.uid = input.uid then 'written'
        else 'conflict'
      end as status
    from input
    left join unnest(locked_planes, locked_revisions) as locked (plane, revision)
      on locked.plane = input.plane
    left join lateral (
      select objects.ctid as row_id, objects.uid, objects.revision,
        not objects.is_tombstone as is_object
      from objects
      where objects.plane = input.plane and objects.resource = input.resource
        and objects.namespace = input.namespace and objects.name = input.name
      limit 1
    ) as current on true
    left join lateral (
      select not objects.is_tombstone as is_object,
        not objects.is_tombstone and objects.deleted_time is null as is_live
      from objects
      where objects.plane = input.plane and objects.resource = 'namespaces'
        and objects.namespace = '' and objects.name = input.namespace
      limit 1
    ) as space on input.needs_namespace
  ), accepted as materialized (
    select found.*, greatest(found.plane_revision, floor_revision)
      + row_number() over (partition by found.plane order by found.position) as next_revision
    from found
    where found.status = 'written' and (found.parent is null or exists (
      select 1 from found as created
      where created.position = found.parent and created.status = 'written'))
  ), deleted as (
    delete from objects
    where objects.ctid = any(array(
      select accepted.row_id from accepted
      where accepted.type = 'remove' and not accepted.leaves_tombstone))
  ), stored as (
    insert into objects (
      plane, resource, namespace, name, uid, revision, body, managed_fields, labels, owner_uids,
      created_time, deleted_time, is_tombstone)
    select plane, resource, namespace, name, uid, next_revision, body::text::jsonb,
      managed_fields, labels, owner_uids, created_time, deleted_time, type = 'remove'
    from accepted
    where type <> 'remove' or leaves_tombstone
    order by position
    on conflict on constraint objects_pkey do update set
      uid = excluded.uid, revision = excluded.revision, body = excluded.body,
      managed_fields = excluded.managed_fields, labels = excluded.labels,
      owner_uids = excluded.owner_uids, created_time = excluded.created_time,
      deleted_time = excluded.deleted_time, is_tombstone = excluded.is_tombstone
  ), raised as (
    update planes set revision = raise.revision
    from (
      select plane, max(next_revision) as revision from accepted group by plane
    ) as raise
    where planes.plane = raise.plane
  ), announced as (
    insert into object_outbox (
      type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels, before)
    select case type when 'create' then 'ADDED' when 'remove' then 'DELETED' else 'MODIFIED' end,
      plane, resource, namespace, name, uid, next_revision, body, managed_fields, labels::json, before
    from accepted order by position
  )
  select found.position, found.status, accepted.next_revision
  from found left join accepted on accepted.position = found.position
  where found.parent is null;
end
$$;
