alter table resources
  add column annotations jsonb not null default '{}',
  -- {type: [id of the target]} of the references of a kind that declares some.
  add column refs jsonb not null default '{}',
  add column deleted_by text collate "C";

-- Children of a parent, whatever their kind. Root kinds have no parent, and no entry.
create index resources_by_parent on resources (owner_id) where owner_id <> '';

create index resources_refs on resources using gin (refs jsonb_path_ops) where refs <> '{}';

alter table adapter_statuses
  add column observed_time timestamptz(3),
  -- Whether the report says Finalized True.
  add column finalized boolean not null default false,
  -- The type under which the adapter's Available surfaces: what a search by condition joins on.
  add column condition_type text collate "C" not null default '';

update adapter_statuses set
  observed_time = last_report_time,
  condition_type = (
    select string_agg(upper(left(part, 1)) || substr(part, 2), '' order by place)
    from regexp_split_to_table(adapter, '-') with ordinality as parts (part, place)
  ) || 'Successful';

alter table adapter_statuses
  alter column observed_time set not null,
  alter column condition_type drop default;

-- The second family of conditions begins where the first one stands.
update resources set
  conditions = (
    select json_agg(shown order by rank, place)
    from json_array_elements(conditions) with ordinality as stored (condition, place)
    cross join lateral (
      values
        (case condition ->> 'type' when 'Available' then 0 when 'Ready' then 1 else 4 end, condition),
        (2, case condition ->> 'type' when 'Ready' then
          (condition::jsonb || '{"type": "Reconciled"}'
            || case condition ->> 'reason'
              when 'ResourceReady' then '{"reason": "ReconciledAll"}'::jsonb
              when 'ResourceNotReady' then '{"reason": "ReconciledMissingAdapters"}'::jsonb
              else '{}'::jsonb end)::json end),
        (3, case condition ->> 'type' when 'Available' then
          (condition::jsonb || '{"type": "LastKnownReconciled"}'
            || case condition ->> 'reason'
              when 'ResourceAvailable' then '{"reason": "AllAdaptersReconciled"}'::jsonb
              when 'ResourceNotAvailable' then '{"reason": "AdaptersNotReconciled"}'::jsonb
              else '{}'::jsonb end)::json end)
    ) as family (rank, shown)
    where shown is not null
  ),
  cond = cond || jsonb_build_object(
    'Reconciled', cond ->> 'Ready', 'LastKnownReconciled', cond ->> 'Available');

-- Who removed what without waiting for its adapters, and why.
create table force_deletions (
  id           text collate "C" not null,
  kind         text collate "C" not null,
  name         text collate "C" not null,
  owner_id     text collate "C" not null,
  -- Descendants that went with it.
  removed      jsonb            not null,
  reason       text             not null,
  forced_by    text collate "C" not null,
  forced_time  timestamptz(3)   not null,
  constraint force_deletions_pkey primary key (id)
);

-- The first answer to a create with an Idempotency-Key, kept for 24 hours.
create table idempotency_keys (
  caller       text collate "C" not null,
  route        text collate "C" not null,
  key          text collate "C" not null,
  -- SHA-256 of the request's body.
  body_hash    bytea            not null,
  resource_id  text collate "C" not null,
  answer       json             not null,
  created_time timestamptz(3)   not null,
  constraint idempotency_keys_pkey primary key (caller, route, key)
);

create index idempotency_keys_by_time on idempotency_keys (created_time);

-- The functions below look again after a statement has waited for its locks: each query of a
-- volatile function sees what has been committed by then, which the statement itself does not.

-- Whether one of the parents has a child that is not being deleted and is not among those known.
create function has_unknown_child(parents text[], known text[]) returns boolean
language plpgsql volatile as $$
begin
  return exists (
    select 1 from resources
    where owner_id = any(parents) and owner_id <> '' and deleted_time is null and id <> all(known));
end
$$;

-- Whether a resource has a child, being deleted or not.
create function has_child(parent text) returns boolean
language plpgsql volatile as $$
begin
  return exists (select 1 from resources where owner_id = parent and owner_id <> '');
end
$$;

-- Whether a resource that is not among those known has one of these references. Planned for its
-- own patterns each time: a plan for any would expect to meet one soon, and read the whole table.
create function has_unknown_reference(patterns jsonb[], known text[]) returns boolean
language plpgsql volatile set plan_cache_mode = force_custom_plan as $$
begin
  return exists (
    select 1 from resources
    where refs <> '{}' and refs @> any(patterns) and id <> all(known));
end
$$;

-- Removes the doomed, then every ancestor that is finished and has no child left, nearest first.
-- Locks from the top down; raises 40001 where a row is not at the version that was read. Returns
-- the ids that went.
create function remove_resources(
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
