import { create } from '@bufbuild/protobuf'
import {
  DeleteRequestSchema,
  ListSnapshotsRequestSchema,
  type SnapshotInfo,
} from '../../drivers/generated/proto/snapshot_driver_pb.ts'
import type { RuntimeConnection } from '../../drivers/protocol/connect-runtime.ts'
import type { ListedRuntime } from '../sandboxes/runtimes/runtime-directory.ts'
import type { Credentials } from '../snapshot-backends/read-credentials.ts'
import { decideOrphans } from './decide-orphans.ts'
import type { SweptSnapshot } from './read-snapshots.ts'
import type { SweptStore } from './swept-stores.ts'

/** The rules of a sweep. */
export interface SweepRules {
  readonly installation: string
  readonly graceMs: number
  readonly now: Date
  /** The uids of all Snapshots, for their drivers. */
  readonly known: ReadonlySet<string>
}

/** A driver that lists a store. */
export interface SweptPlace {
  readonly runtime: ListedRuntime
  readonly driver: RuntimeConnection['driver']
  readonly credentials: Credentials
}

/** The result of a sweep of one store. */
export interface SweepResult {
  readonly removed: number
  /** Snapshots whose data is gone. */
  readonly missing: readonly SweptSnapshot[]
  /** Snapshots whose data is back. */
  readonly recovered: readonly SweptSnapshot[]
}

const DEADLINE_MS = 60_000

/** Compares a store with the Snapshots and removes data without a Snapshot. */
export async function sweepStore(
  store: SweptStore,
  { runtime, driver, credentials }: SweptPlace,
  rules: SweepRules,
): Promise<SweepResult> {
  const { target, retains, snapshots } = store
  const call = { parameters: { ...target.parameters }, secrets: { ...credentials } }
  const artefacts = new Map<string, SnapshotInfo>()
  const list = create(ListSnapshotsRequestSchema, { ...call, driver: target.driver })
  for await (const info of driver.listSnapshots(list, { timeoutMs: DEADLINE_MS })) {
    artefacts.set(info.snapshotUid, info)
  }
  const here = snapshots.filter((each) => isOn(each, store, runtime))
  const expected = here.map(({ snapshot, isLost }) => ({
    isLost,
    snapshotUid: snapshot.snapshotUid ?? '',
    hasArtefact: snapshot.phase === 'Ready' || snapshot.phase === 'Consumed',
    createdAt: new Date(snapshot.completeTime ?? snapshot.createdTime),
  }))
  const listed = [...artefacts.values()].map(artefactOf)
  const found = decideOrphans({ artefacts: listed, expected, known: rules.known }, rules)
  const orphans = retains ? [] : found.orphans
  for (const snapshotUid of orphans) {
    const sandbox = artefacts.get(snapshotUid)?.sandbox
    const request = create(DeleteRequestSchema, {
      ...call,
      driver: target.driver,
      snapshotUid,
      operationId: `orphan-${snapshotUid}`,
      ...(sandbox && { sandbox }),
    })
    await driver.delete(request)
  }
  const among = (uids: readonly string[]) =>
    here.filter(({ snapshot }) => uids.includes(snapshot.snapshotUid ?? ''))
  return {
    removed: orphans.length,
    missing: among(found.missing),
    recovered: among(found.recovered),
  }
}

/** Whether a machine can see the data of a snapshot: every machine sees a shared store. */
function isOn(
  { snapshot: { runtime, compatibility } }: SweptSnapshot,
  { target }: SweptStore,
  { name, machine }: ListedRuntime,
): boolean {
  if (isShared(target.store)) return true
  return runtime === name || (machine !== '' && compatibility['machine'] === machine)
}

/** Whether all machines see the same data in a store. */
export function isShared(store: string): boolean {
  return store === 's3' || store === 'gcs'
}

function artefactOf({ snapshotUid, sandbox, createdUnixMs }: SnapshotInfo) {
  return {
    snapshotUid,
    installation: sandbox?.installation ?? '',
    createdAt: new Date(Number(createdUnixMs)),
  }
}
