import type { Table } from '../store/tables/table.ts'

const DIRECTORY = { stays: 'directory' }

/**
 * The fences would reject the writes of an installation without shards, because its tenants have no
 * states. The database can have them from its former content.
 */
const DROP_FENCES_WITHOUT_SHARD = `
  do $$
  declare
    fence record;
  begin
    for fence in
      select tgname, tgrelid::regclass as fenced from pg_trigger
      where tgfoid = 'require_active_tenants'::regproc and not exists (select from shard)
    loop
      execute format('drop trigger %I on %s', fence.tgname, fence.fenced);
    end loop;
  end
  $$`

/**
 * Makes the copy an installation without shards: the directory leads to the databases of the original,
 * which a move would change.
 */
const LEAVE_SHARDS = `
  truncate shard, shards, tenant_moves, tenant_shards, tenant_states;
  ${DROP_FENCES_WITHOUT_SHARD}`

/** The tables of shards: the directory, and what a shard knows of its tenants. */
export const SHARD_TABLES: readonly Table[] = [
  {
    name: 'shard',
    backup: 'saved',
    onCopy: LEAVE_SHARDS,
    onRestore: DROP_FENCES_WITHOUT_SHARD,
    move: { stays: 'the name of the shard' },
  },
  { name: 'shards', backup: 'saved', isUserData: true, move: DIRECTORY },
  { name: 'tenant_moves', backup: 'saved', move: DIRECTORY },
  { name: 'tenant_shards', backup: 'saved', isUserData: true, move: DIRECTORY },
  {
    name: 'tenant_states',
    backup: 'saved',
    isUserData: true,
    move: { stays: 'set by the move itself' },
  },
]
