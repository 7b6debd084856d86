import { duration, type Setting } from 'flotilla/programs'

/** The settings of the snapshots of sandboxes. */
export const SNAPSHOT_SETTINGS = {
  snapshotSweepInterval: duration({
    env: 'SNAPSHOT_SWEEP_INTERVAL',
    default: '10m',
    doc: 'Pause between comparisons of the stores of snapshots with the Snapshot objects.',
  }),
  snapshotOrphanGrace: duration({
    env: 'SNAPSHOT_ORPHAN_GRACE',
    default: '1h',
    doc: 'Minimum age of data without a Snapshot object before it is removed from its store, and of a Snapshot object without data before it becomes Failed.',
  }),
} as const satisfies Record<string, Setting<unknown>>
