-- Older servers: may run beside this schema, because they do not use the new table.

create table signing_keys (
  id text collate "C" primary key,
  private_key text not null,
  created_time timestamptz(3) not null
);
