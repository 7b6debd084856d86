import type { Table } from '../store/tables/table.ts'

const DIRECTORY = { stays: 'directory' }

/** The tables of shards: the directory, and what a shard knows of its tenants. */
export const SHARD_TABLES: readonly Table[] = [
  { name: 'shard', backup: 'saved', move: { stays: 'the name of the shard' } },
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
