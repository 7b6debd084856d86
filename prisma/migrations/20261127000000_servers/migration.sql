-- The running servers of this database. Unlogged: heartbeats cost no write-ahead log, and after a
-- crash of PostgreSQL each server adds its row again. All times are from the database's clock.
create unlogged table servers (
  id text collate "C" primary key,
  host text not null,
  started_time timestamptz not null,
  seen_time timestamptz not null,
  -- Of the configuration that all servers must share; equal configurations have equal fingerprints.
  fingerprint text collate "C" not null,
  configuration json not null
) with (fillfactor = 50);
