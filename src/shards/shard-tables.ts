import type { Table } from '../store/tables/table.ts'

const DIRECTORY = { stays: 'directory' }

/**
 * Makes the copy an installation without shards: the directory leads to the databases of the original,
 * which a move would change. The fences would reject writes of tenants without a state.
 */
const LEAVE_SHARDS = `
  truncate shard, shards, tenant_moves, tenant_shards, tenant_states;
  do $$
  declare
    fence record;
  begin
    for fence in
      select tgname, tgrelid::regclass as fenced from pg_trigger
      where tgfoid = 'require_active_tenants'::regproc
    loop
      execute format('drop trigger %I on %s', fence.tgname, fence.fenced);
    end loop;
  end
  $$`

/** The tables of shards: the directory, and what a shard knows of its tenants. */
export const SHARD_TABLES: readonly Table[] = [
  {
    name: 'shard',
    backup: 'saved',
    onCopy: LEAVE_SHARDS,
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
