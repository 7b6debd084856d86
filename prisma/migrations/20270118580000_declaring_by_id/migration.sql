-- Older servers: may run beside this schema. They do not use the index.
--
-- Finds the resources that declare adapters, so that a lease of them does not read all resources.
create index resources_declaring on resources (id) where required_adapters is not null;
