-- Older servers: may run beside this schema. They do not use the index.
--
-- The old reports of one tenant. Without it, a request of a tenant would read the resting rows of all
-- tenants. Servers without tenancy do not pay for it.
create index adapter_work_resting_by_tenant on adapter_work (adapter, kind, tenant, reported_time)
  where reported_time is not null and tenant <> '';
