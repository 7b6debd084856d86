-- Older servers: may run beside this schema. They delete counts of minutes after an hour, and their
-- reports are not counted.
--
-- Counts of minutes become series of a week. Rates are differences of counters, so that a missing
-- minute loses nothing and longer steps need no other numbers.
alter table adapter_reports
  add column reports         bigint not null default 0,
  -- The reports that are the first ones at their generation, and the sum of their latencies.
  add column measured        bigint not null default 0,
  add column latency_seconds float8 not null default 0;

alter table count_minutes
  -- '' for the kind.
  add column adapter         text collate "C" not null default '',
  -- The length in minutes: 1 for a day, then 10.
  add column step            smallint not null default 1,
  -- Counters. Null in rows of older servers.
  add column changes         bigint,
  add column reports         bigint,
  add column measured        bigint,
  add column latency_seconds float8,
  -- Resources that wait for the adapter. Null if they are not counted.
  add column waiting         bigint,
  drop constraint count_minutes_pkey,
  add constraint count_minutes_pkey primary key (tenant, kind, adapter, minute, step);

create index count_minutes_by_time on count_minutes (step, minute);
