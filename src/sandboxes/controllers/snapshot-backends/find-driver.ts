import type { RuntimeConnection } from '../../drivers/protocol/connect-runtime.ts'
import type { RuntimeDirectory } from '../sandboxes/runtimes/runtime-directory.ts'

/** The location of a snapshot's data. */
export interface SnapshotPlace {
  readonly driver: string
  /** `local` is on one machine; other stores are shared. */
  readonly store: string
  /** The runtime that took the snapshot; null if the driver did not report it. */
  readonly runtime: string | null
  /** The machine of that runtime; null if the driver did not report it. */
  readonly machine: string | null
}

/** A driver that can reach the data of a snapshot. */
export interface FoundDriver {
  readonly runtime: string
  readonly driver: RuntimeConnection['driver']
}

const SHARED_STORES: readonly string[] = ['s3', 'gcs']

/**
 * Finds a live runtime with the driver, preferably the one that took the snapshot. Another machine
 * can only reach a shared store. Null if there is none.
 */
export function findDriver(directory: RuntimeDirectory, place: SnapshotPlace): FoundDriver | null {
  const { driver, store, runtime, machine } = place
  const isShared = SHARED_STORES.includes(store)
  const candidates = directory
    .list()
    .filter((each) => each.isLive)
    .filter((each) => isShared || each.name === runtime || isOn(each.machine, machine))
    .toSorted((a, b) => Number(b.name === runtime) - Number(a.name === runtime))
  for (const { name } of candidates) {
    const client = directory.driverFor(name, driver)
    if (client !== null) return { runtime: name, driver: client }
  }
  return null
}

function isOn(machine: string, wanted: string | null): boolean {
  return wanted !== null && wanted !== '' && machine === wanted
}
