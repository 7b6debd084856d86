import { isJsonObject } from 'flotilla'
import { type PlaneClient, readOrNull } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { sandboxOf } from '../../model/sandbox.ts'
import type { Snapshot } from '../../model/snapshot.ts'
import type { SandboxOperation } from '../../storage/sandbox-operation.ts'
import type { SandboxState } from '../../storage/sandbox-state.ts'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import type { SnapshotParts } from './snapshot-parts.ts'

/**
 * Why a snapshot must stay: its sandbox is suspended with it, an operation uses it, or another
 * sandbox starts from it. Null if nothing needs it.
 */
export async function findNeed(
  { records }: Pick<SnapshotParts, 'records'>,
  client: PlaneClient,
  snapshot: Snapshot,
): Promise<string | null> {
  const { namespace, sandbox } = snapshot
  const source = await readOrNull(client, SANDBOXES, { namespace, name: sandbox.name })
  if (source !== null && (sandbox.uid === null || source.metadata.uid === sandbox.uid)) {
    const need = await needOfSource(records, source, snapshot)
    if (need !== null) return need
  }
  return findRestoring(client, snapshot)
}

/** A deleted sandbox never resumes, but it may still write the snapshot. */
async function needOfSource(
  records: SnapshotParts['records'],
  { metadata }: ApiObject,
  { namespace, name, phase }: Snapshot,
): Promise<string | null> {
  const { uid = '', name: sandbox = '', deletionTimestamp } = metadata
  const isDeleting = deletionTimestamp !== undefined
  const { state, operation } = await records.readRows(uid)
  if (!isDeleting && isSuspendedWith(state, name)) {
    return `Sandbox ${namespace}/${sandbox} is suspended with the snapshot`
  }
  // The operation that has failed to take the snapshot does not use it any more.
  if (phase === 'Failed' || (isDeleting && phase !== 'Creating')) return null
  if (operation === null || !uses(operation, name)) return null
  return `Sandbox ${namespace}/${sandbox} uses the snapshot in an operation ${operation.kind}`
}

/** Whether a sandbox resumes from the snapshot. */
export function isSuspendedWith(state: SandboxState | null, snapshot: string): boolean {
  return state?.suspendedBy === 'Hibernate' && state.snapshot?.name === snapshot
}

/** Whether an operation takes or restores the snapshot. */
export function uses({ data }: SandboxOperation, name: string): boolean {
  const { snapshot, requested } = data
  return requested === name || (isJsonObject(snapshot) && snapshot['name'] === name)
}

/** Sandboxes that start from the snapshot and have not started yet. */
async function findRestoring(
  client: PlaneClient,
  { namespace, name }: Snapshot,
): Promise<string | null> {
  for await (const page of client.pages(SANDBOXES, { namespace })) {
    for (const object of page.items) {
      const { restoreFrom, isDeleting, name: target } = sandboxOf(object)
      if (restoreFrom === name && !isDeleting && !hasStarted(object)) {
        return `Sandbox ${namespace}/${target} starts from the snapshot`
      }
    }
  }
  return null
}

function hasStarted({ status }: ApiObject): boolean {
  return isJsonObject(status) && typeof status['boot'] === 'string'
}
