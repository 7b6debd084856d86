import type { Table } from '../store/tables/table.ts'

/** The tables of sandboxes. */
export const SANDBOX_TABLES: readonly Table[] = [
  {
    name: 'sandbox_states',
    backup: 'saved',
    move: { column: 'plane', key: ['uid'], fenced: ['insert', 'update'] },
  },
  {
    name: 'sandbox_operations',
    backup: 'saved',
    move: { column: 'plane', key: ['id'], fenced: ['insert', 'update'] },
  },
]
