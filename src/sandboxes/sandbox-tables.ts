import type { Table } from '../store/tables/table.ts'

/**
 * Forgets the machines, whose sandboxes belong to the original, and the ID that marks its snapshots in
 * shared stores.
 */
const LEAVE_TO_ORIGINAL = `
  delete from objects
  where plane = 'root' and (resource = 'sandboxruntimes.sandbox.flotilla.dev'
    or (resource, namespace, name) = ('configmaps', 'kube-system', 'flotilla-installation'))`

/** The tables of sandboxes. */
export const SANDBOX_TABLES: readonly Table[] = [
  {
    name: 'sandbox_states',
    backup: 'saved',
    onCopy: LEAVE_TO_ORIGINAL,
    move: { column: 'plane', key: ['uid'], fenced: ['insert', 'update'] },
  },
  {
    name: 'sandbox_operations',
    backup: 'saved',
    move: { column: 'plane', key: ['id'], fenced: ['insert', 'update'] },
  },
]
