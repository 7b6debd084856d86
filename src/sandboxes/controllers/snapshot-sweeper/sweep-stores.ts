import type { FleetClient, Timers } from 'flotilla/controllers'
import type { ListedRuntime, RuntimeDirectory } from '../sandboxes/runtimes/runtime-directory.ts'
import { type Credentials, readCredentials } from '../snapshot-backends/read-credentials.ts'
import { readInstallationId } from '../snapshots/installation-id.ts'
import { failMissing } from './fail-missing.ts'
import { readSnapshots } from './read-snapshots.ts'
import { recoverSnapshot } from './recover-snapshot.ts'
import { readStoreUses } from './read-store-uses.ts'
import { isShared, sweepStore, type SweepRules } from './sweep-store.ts'
import { type SweptStore, sweptStores } from './swept-stores.ts'

/** The dependencies of the sweeper. */
export interface SweeperParts {
  readonly fleet: FleetClient
  readonly runtimes: RuntimeDirectory
  readonly timers: Timers
  /** Younger data and Snapshots may belong to an operation in progress. */
  readonly graceMs: number
  /** A store could not be swept; the others are. */
  readonly onError: (error: unknown) => void
}

const ROOT = 'root'

/**
 * Compares every store with the Snapshots of all planes. Data of this control plane without a
 * Snapshot is removed, and Snapshots without data are marked as Failed.
 */
export async function sweepStores(parts: SweeperParts, signal: AbortSignal): Promise<void> {
  const { fleet, runtimes, timers, graceMs, onError } = parts
  await runtimes.synced
  const snapshots = await readSnapshots(fleet)
  const rules: SweepRules = {
    installation: await readInstallationId(fleet.plane(ROOT)),
    graceMs,
    now: timers.clock(),
    known: new Set(
      snapshots.flatMap(({ snapshot: { uid, snapshotUid } }) => [uid, snapshotUid ?? uid]),
    ),
  }
  for (const store of sweptStores(await readStoreUses(fleet, snapshots))) {
    if (signal.aborted) return
    await sweepPlaces(parts, store, rules).catch(onError)
  }
}

/** A shared store is listed once, and a local one on each machine. */
async function sweepPlaces(
  { fleet, runtimes, onError }: SweeperParts,
  store: SweptStore,
  rules: SweepRules,
): Promise<void> {
  const { target, plane } = store
  const offering = runtimes.list().filter((runtime) => lists(runtime, target.driver))
  if (offering.length === 0) return
  const credentials = await credentialsOf(fleet, store)
  if (credentials === null) return
  const places = isShared(target.store) ? offering.slice(0, 1) : offering
  for (const runtime of places) {
    const driver = runtimes.driverFor(runtime.name, target.driver)
    if (driver === null) continue
    try {
      const place = { runtime, driver, credentials }
      const { missing, recovered } = await sweepStore(store, place, rules)
      for (const each of missing) await failMissing(fleet, each, rules.now)
      for (const each of recovered) await recoverSnapshot(fleet, each, rules.now)
    } catch (error) {
      const message = `The store of the driver "${target.driver}" in the plane ${plane} could not be swept`
      onError(new Error(message, { cause: error }))
    }
  }
}

function lists({ isLive, drivers }: ListedRuntime, driver: string): boolean {
  const found = drivers.find(({ name }) => name === driver)
  return isLive && found !== undefined && found.lists && found.unavailableReason === ''
}

/** Null if the Secret does not exist: the store cannot be reached. */
async function credentialsOf(
  fleet: FleetClient,
  { plane, target: { credentialsRef } }: SweptStore,
): Promise<Credentials | null> {
  return credentialsRef === null ? {} : readCredentials(fleet.plane(plane), credentialsRef)
}
