-- Older servers: may run beside this schema, because they do not read the new column.
--
-- Signs the tokens of paged lists in planes, so that every server of the database accepts them.
alter table object_head add column list_key text not null
  default md5(gen_random_uuid()::text) || md5(gen_random_uuid()::text);
