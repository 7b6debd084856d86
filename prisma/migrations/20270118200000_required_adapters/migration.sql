-- Older servers: may run beside this schema. They compute the conditions of resources with a
-- declaration as those of other resources, until the next write of a newer server.
--
-- The adapters that a resource requires instead of those of its kind: a JSON list of their names.
-- Members of Fleets declare it, and their children have the declaration of their parent.
alter table resources add column required_adapters jsonb;
