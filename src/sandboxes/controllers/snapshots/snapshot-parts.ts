import type { FleetClient, Timers } from 'flotilla/controllers'
import type { RuntimeDirectory } from '../sandboxes/runtimes/runtime-directory.ts'
import type { SandboxRecords } from '../sandboxes/sandbox-records.ts'

/** The dependencies of the controllers of snapshots. */
export interface SnapshotParts {
  readonly fleet: FleetClient
  readonly records: Pick<SandboxRecords, 'readRows'>
  readonly runtimes: RuntimeDirectory
  readonly timers: Timers
  /** An event could not be written. */
  readonly onError: (error: unknown) => void
}

/** The plane of the runtimes and of the installation's ID. */
export const ROOT = 'root'
/** The source of events. */
export const COMPONENT = 'snapshot-controller'
