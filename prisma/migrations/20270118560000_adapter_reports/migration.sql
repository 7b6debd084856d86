-- Older servers: may run beside this schema. They do not record reports in the table.
--
-- The last report of each adapter by kind and tenant, and its rate. The last reports are scattered
-- over all resources, and an index by time would make each heartbeat more expensive.
create table adapter_reports (
  kind             text collate "C" not null,
  tenant           text collate "C" not null,
  adapter          text collate "C" not null,
  last_report_time timestamptz      not null,
  -- Reports until `last_report_time`: the weight of each one falls by the factor e in a minute.
  recent           float8           not null,
  constraint adapter_reports_pkey primary key (kind, tenant, adapter)
) with (fillfactor = 70);

insert into adapter_reports
select kind, tenant, adapter, max(last_report_time), 0
from adapter_statuses join resources on id = resource_id
group by kind, tenant, adapter;
