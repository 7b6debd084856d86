-- Text that is compared or ordered is collate "C", so that SQL, memory and every server agree.
-- fillfactor 70 leaves room on the page for heap-only updates of rows with realistic specs.
create table resources (
  id           text collate "C" not null,
  kind         text collate "C" not null,
  name         text collate "C" not null,
  owner_id     text collate "C" not null default '',
  generation   integer          not null,
  version      bigint           not null,
  spec         jsonb            not null,
  labels       jsonb            not null,
  conditions   json             not null,
  cond         jsonb            not null,
  created_time timestamptz(3)   not null,
  updated_time timestamptz(3)   not null,
  created_by   text collate "C" not null,
  updated_by   text collate "C" not null,
  deleted_time timestamptz(3),
  constraint resources_pkey primary key (id)
) with (fillfactor = 70);

create unique index resources_name on resources (kind, owner_id, name) where deleted_time is null;
create index resources_by_creation on resources (kind, created_time desc, id desc);
create index resources_by_owner on resources (kind, owner_id, created_time desc, id desc);
create index resources_by_name on resources (kind, name);
create index resources_search on resources using gin (labels jsonb_path_ops, cond jsonb_path_ops);

alter table resources alter column labels set statistics 1000;
alter table resources alter column cond set statistics 1000;

create table adapter_statuses (
  resource_id          text collate "C" not null,
  adapter              text collate "C" not null,
  observed_generation  integer          not null,
  revision             integer          not null,
  conditions           json             not null,
  available            json,
  available_generation integer,
  data                 json             not null,
  metadata             json,
  created_time         timestamptz(3)   not null,
  last_report_time     timestamptz(3)   not null,
  constraint adapter_statuses_pkey primary key (resource_id, adapter),
  constraint adapter_statuses_resource_id_fkey foreign key (resource_id)
    references resources (id) on delete cascade on update no action
) with (fillfactor = 70);

-- Called where a statement finds, after its first write, that what it had read has changed:
-- the statement undoes itself and its caller tries again.
create function serialization_conflict() returns boolean language plpgsql as $$
begin
  raise exception 'changed since it was read' using errcode = 'serialization_failure';
end
$$;
