-- Older servers: may run beside this schema. They do not use the table.
--
-- The counts of the overview at a position of the log, so that a new server need not read all
-- resources. Servers with different adapters count differently: the fingerprint separates them.
create table state_counts (
  fingerprint text collate "C" primary key,
  epoch text collate "C" not null,
  revision bigint not null,
  states json not null,
  stored_time timestamptz not null
);
