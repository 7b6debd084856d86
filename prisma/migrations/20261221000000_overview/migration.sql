-- Older servers: may run beside this schema. They do not use the new tables and the new index, and
-- their rows in `servers` report no load, so the overview shows too few reports per second.

-- Lists of the changes of one resource.
create index changes_by_resource on changes (resource_id, revision);

-- Reports that the server accepted per second, including heartbeats, at its last heartbeat.
alter table servers add column reports_per_second double precision not null default 0;

-- The load at the end of each of the last minutes.
create table load_minutes (
  minute             timestamptz(0) primary key,
  epoch              text collate "C" not null,
  revision           bigint not null,
  reports_per_second double precision not null
);

-- The number of resources at the end of each of the last minutes.
create table count_minutes (
  minute    timestamptz(0) not null,
  tenant    text collate "C" not null,
  kind      text collate "C" not null,
  total     bigint not null,
  not_ready bigint not null,
  primary key (tenant, minute, kind)
);
