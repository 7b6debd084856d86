-- Older servers: may run. They treat a tenant that has arrived like one that arrives: not served here.

-- A tenant has arrived when its rows are complete in this shard, and the directory has it in the other
-- one. It becomes frozen, and is served here, after the directory has changed.
alter table tenant_states
  drop constraint tenant_states_known,
  add constraint tenant_states_known
    check (state in ('active', 'frozen', 'arriving', 'arrived', 'departed'));
