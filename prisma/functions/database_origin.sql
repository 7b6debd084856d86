-- The database whose log an epoch identifies: `<system>/<timeline>/<oid>`.
create or replace function database_origin() returns text language sql volatile
return (
  select concat_ws('/', system_identifier, current_timeline(), pg_database.oid)
  from pg_control_system(), pg_database
  where datname = current_database()
);
