-- Older servers: may run beside this schema, as long as the database is not a shard.
--
-- Sharding by tenant. `shard` and `tenant_states` belong to the database of a shard: they state which
-- tenants it serves. `shards`, `tenant_shards` and `tenant_moves` are the directory, which is used in
-- one database only.

-- The shard that the database is. Empty unless the database is a shard. `revision` is raised by every
-- change of `tenant_states`; its row lock makes the order of revisions the order of commits.
create table shard (
  name text collate "C" not null,
  revision bigint not null default 0,
  id boolean not null default true,
  constraint shard_pkey primary key (id),
  constraint shard_single check (id)
);

-- The tenants of this shard: active, frozen (reads only, while the tenant is copied), arriving (not
-- served yet) or departed. A tenant without a row has not been served here.
create table tenant_states (
  tenant text collate "C" not null,
  state text collate "C" not null,
  revision bigint not null,
  changed_time timestamptz(3) not null default now(),
  -- The newest attempt to move the tenant. Older attempts change nothing.
  attempt bigint not null default 0,
  constraint tenant_states_pkey primary key (tenant),
  constraint tenant_states_known check (state in ('active', 'frozen', 'arriving', 'departed'))
);
create index tenant_states_by_revision on tenant_states (revision);

create table shards (
  name text collate "C" not null,
  database text not null,
  servers text[] not null,
  accepts_tenants boolean not null default true,
  constraint shards_pkey primary key (name)
);

create table tenant_shards (
  tenant text collate "C" not null,
  shard text collate "C" not null,
  -- The number of the newest attempt to move the tenant.
  attempt bigint not null default 0,
  constraint tenant_shards_pkey primary key (tenant),
  constraint tenant_shards_shard_fkey foreign key (shard) references shards (name)
    on delete restrict on update no action
);
create index tenant_shards_by_shard on tenant_shards (shard);

create table tenant_moves (
  tenant text collate "C" not null,
  source text collate "C" not null,
  target text collate "C" not null,
  step text collate "C" not null,
  attempt bigint not null default 0,
  started_time timestamptz(3) not null default now(),
  constraint tenant_moves_pkey primary key (tenant)
);

-- Whether the change belongs to the move of a tenant between shards: its resource was neither created
-- nor deleted. The transactions of a move set the parameter. Last in both tables, because the
-- sequencer moves whole rows.
alter table outbox add column moved boolean
  default nullif(current_setting('flotilla.moves_tenant', true), '')::boolean;
alter table changes add column moved boolean;

-- Rejects a statement that wrote rows of a tenant that is not active in this shard. The triggers exist
-- only in databases of shards; `flotilla` creates them when the database becomes one.
--
-- The check runs after the write, so the transaction has its id already. A move first commits the new
-- state and then waits for all transactions that were running: each of them has either seen the new
-- state here, or its write is complete before the tenant is copied. No writer locks a shared row.
-- The argument is the column of the table that leads to the tenant: tenant, resource_id or plane.
create function require_active_tenants() returns trigger language plpgsql as $$
declare
  rejected text;
begin
  if current_setting('flotilla.moves_tenant', true) = 'true' then return null; end if;
  -- PostgreSQL parses only the statement that runs.
  case tg_argv[0]
    when 'tenant' then
      select tenant into rejected
      from written left join tenant_states using (tenant)
      where tenant <> '' and tenant_states.state is distinct from 'active' limit 1;
    when 'resource_id' then
      select tenant into rejected
      from written join resources on resources.id = written.resource_id
      left join tenant_states using (tenant)
      where tenant <> '' and tenant_states.state is distinct from 'active' limit 1;
    when 'plane' then
      select tenant into rejected
      from written join resources on resources.id = written.plane
      left join tenant_states using (tenant)
      where tenant <> '' and tenant_states.state is distinct from 'active' limit 1;
  end case;
  if rejected is not null then
    raise exception using errcode = '40T01',
      message = format('the tenant %s is not active in this shard', rejected);
  end if;
  return null;
end
$$;
