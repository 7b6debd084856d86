-- Older servers: may run beside this schema. The sandboxes that they start are of the class
-- `process`, which the default of the column records.
--
-- The isolation class of a sandbox, which is decided at its first start. Sandboxes from before are
-- of the class `process`. Null before the first start.
alter table sandbox_states add column isolation_class text default 'process';
