-- Older servers: may run beside this schema. They do not use the index.
--
-- Serves lists in the order of their updates. A migration blocks writes while it builds an index, so
-- it skips tables with many rows: a server builds the index concurrently after its start.
do $$ begin
  if (select count(*) from (select 1 from resources limit 10001) as counted) <= 10000 then
    create index resources_by_update on resources (kind, updated_time desc, id desc);
  end if;
end $$;
