import { readDuration, retired, type Setting, type ValuesOf } from 'flotilla/programs'

/** The settings of the snapshots of sandboxes. */
export const SNAPSHOT_SETTINGS = {
  snapshotSweepInterval: retired({
    env: 'SNAPSHOT_SWEEP_INTERVAL',
    doc: 'the sweeper pauses for 10 minutes',
    read: readDuration,
  }),
  snapshotOrphanGrace: retired({
    env: 'SNAPSHOT_ORPHAN_GRACE',
    doc: 'the sweeper removes data without a Snapshot, and fails a Snapshot without data, after an hour',
    read: readDuration,
  }),
} as const satisfies Record<string, Setting<unknown>>

/** The times of the sweeper, which are the same on every server. */
export function deriveSnapshots(values: ValuesOf<typeof SNAPSHOT_SETTINGS>) {
  return {
    /** Pause between comparisons of the stores with the Snapshot objects, in seconds. */
    snapshotSweepInterval: values.snapshotSweepInterval ?? 600,
    /** Minimum age of data without a Snapshot, and of a Snapshot without data, in seconds. */
    snapshotOrphanGrace: values.snapshotOrphanGrace ?? 3600,
  }
}
