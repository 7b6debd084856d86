import { isJsonObject, type JsonObject } from 'flotilla'
import { readOrNull } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { recordBackend } from '../../../model/backends/recorded-backend.ts'
import { SNAPSHOTS } from '../../snapshot-claims/snapshot-resources.ts'
import { workloadDigest } from '../model/workload-of.ts'
import { OperationProblem } from './operation-problem.ts'
import {
  type OperationRun,
  type Outcome,
  planeClient,
  recorded,
  sandboxOf,
} from './operation-run.ts'
import { recordedSnapshot } from './recorded-snapshot.ts'

/** Keeps a deleted Snapshot until its data is gone. */
const DATA_FINALIZER = 'agents.x-k8s.io/snapshot-data'
/** The operation that created a Snapshot. Requests of clients have none. */
export const OPERATION_ANNOTATION = 'sandbox.flotilla.dev/operation'

/** Creates the Snapshot before the driver is called, so that its data always has an owner. */
export async function recordSnapshot(run: OperationRun): Promise<Outcome> {
  const { operation } = run
  const { name, uid, backend } = recordedSnapshot(operation)
  const isRequested = operation.kind === 'Snapshot'
  const object =
    (isRequested ? await existing(run, name) : null) ?? (await createSnapshot(run, name))
  await writeStatus(run, object, {
    ...statusOf(object),
    phase: 'Creating',
    snapshotUid: uid,
    operationId: operation.id,
    backend: recordBackend(backend),
    ...(run.state.runtime !== null && { runtime: run.state.runtime }),
  })
  return { next: 'Recorded' }
}

/** The name, ID and status of a snapshot that is complete. */
export function committedSnapshot(run: OperationRun): {
  readonly name: string
  readonly uid: string
  readonly status: JsonObject
} {
  const { name, backend, taken } = recordedSnapshot(run.operation)
  const uid = recorded(taken, 'snapshotUid')
  const names =
    backend.path === 'A'
      ? { snapshotProviderName: backend.provider.name }
      : { snapshotClassName: backend.snapshotClass.name, snapshotClaimName: backend.claim.name }
  const status = {
    name,
    snapshotUID: uid,
    ...names,
    sizeBytes: taken['sizeBytes'] ?? 0,
    creationTime: secondsOf(run.parts.timers.clock()),
    driverMetadata: taken['driverMetadata'] ?? {},
  }
  return { name, uid, status }
}

/** Marks the Snapshot as Ready. Writes the same content if it is repeated. */
export async function publishSnapshot(run: OperationRun): Promise<Outcome> {
  const { name, taken } = recordedSnapshot(run.operation)
  const object = await existing(run, name)
  if (object !== null) {
    const { compatibility, ...rest } = taken
    const { sandbox, state } = run
    // The sandbox may have been removed by force since the commit point.
    const digest = { workloadDigest: sandbox ? workloadDigest(sandbox) : state.workloadDigest }
    await writeStatus(run, object, {
      ...statusOf(object),
      ...rest,
      snapshotUid: taken['snapshotUid'] ?? '',
      compatibility: { ...(isJsonObject(compatibility) && compatibility), ...digest },
      phase: 'Ready',
      creationTime: secondsOf(run.parts.timers.clock()),
    })
  }
  return { next: 'Published' }
}

/**
 * Marks an incomplete Snapshot as Failed and deletes it, unless a client asked for it. A request
 * that failed before its preparation is marked too, so that it is not attempted again and again.
 */
export async function discardSnapshot(run: OperationRun, message: string): Promise<void> {
  const { requested, snapshot } = run.operation.data
  const name = isJsonObject(snapshot) ? snapshot['name'] : requested
  if (typeof name !== 'string') return
  const object = await existing(run, name)
  if (object === null) return
  await writeStatus(run, object, { ...statusOf(object), phase: 'Failed', message })
  const isRequested = object.metadata.annotations?.[OPERATION_ANNOTATION] === undefined
  if (isRequested) return
  const { namespace } = run.state
  const { uid = '' } = object.metadata
  await planeClient(run).delete(SNAPSHOTS, { namespace, name }, { preconditions: { uid } })
}

/** The Snapshot, unless a foreign object has its name. */
async function existing(run: OperationRun, name: string): Promise<ApiObject | null> {
  const { namespace } = run.state
  const object = await readOrNull(planeClient(run), SNAPSHOTS, { namespace, name })
  if (object === null) return null
  const owner = object.metadata.annotations?.[OPERATION_ANNOTATION]
  if (owner === run.operation.id || run.operation.kind === 'Snapshot') return object
  throw new OperationProblem('NameConflict', {
    message: `The Snapshot "${namespace}/${name}" belongs to another operation`,
    action: 'retry',
  })
}

async function createSnapshot(run: OperationRun, name: string): Promise<ApiObject> {
  const { state, operation } = run
  const sandbox = sandboxOf(run)
  const { apiVersion, kind } = sandbox.object
  const owner = { apiVersion, kind, name: state.name, uid: state.uid }
  const object: ApiObject = {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Snapshot',
    metadata: {
      namespace: state.namespace,
      name,
      annotations: { [OPERATION_ANNOTATION]: operation.id },
      finalizers: [DATA_FINALIZER],
      ...(sandbox.spec.snapshotPolicy.deleteWithSandbox && { ownerReferences: [owner] }),
    },
    spec: { sandboxRef: { name: state.name, uid: state.uid } },
  }
  try {
    return await planeClient(run).create(SNAPSHOTS, object)
  } catch (error) {
    // A repeated step finds its Snapshot, also if a new one would be rejected now.
    const found = await existing(run, name)
    if (found === null) throw error
    return found
  }
}

async function writeStatus(
  run: OperationRun,
  object: ApiObject,
  status: JsonObject,
): Promise<void> {
  const options = { basedOn: object }
  await planeClient(run).updateSubresource(SNAPSHOTS, 'status', { ...object, status }, options)
}

function statusOf({ status }: ApiObject): JsonObject {
  return isJsonObject(status) ? status : {}
}

function secondsOf(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
