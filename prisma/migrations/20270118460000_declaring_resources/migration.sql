-- Older servers: may run beside this schema. They do not use the index.
--
-- Finds the kinds whose resources declare an adapter.
create index resources_by_required_adapter on resources using gin (required_adapters)
  where required_adapters <> '[]';
