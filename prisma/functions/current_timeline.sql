-- The timeline on which this server writes. After a promotion, the control file can lack it for
-- minutes, until the first checkpoint. Fails on a standby.
create or replace function current_timeline() returns integer language sql volatile
return ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer;
