import type { GetSnapshotResponse } from '../../../drivers/generated/proto/snapshot_driver_pb.ts'
import { workloadDigest } from '../model/workload-of.ts'
import {
  callId,
  callOptions,
  driverClient,
  type OperationRun,
  type Outcome,
  recorded,
  runtimeClient,
  sandboxKey,
  sandboxOf,
} from './operation-run.ts'
import { OperationProblem } from './operation-problem.ts'
import { isUnimplemented } from './prepare-snapshot.ts'
import { recordedSnapshot, type RecordedSnapshot } from './recorded-snapshot.ts'
import { secretsOf } from './placement/usable-backend.ts'

/** Takes the snapshot. The workload remains frozen unless the snapshot is a live one. */
export async function checkpoint(run: OperationRun): Promise<Outcome> {
  const { operation, state } = run
  const snapshot = recordedSnapshot(operation)
  const { backend } = snapshot
  const paths = snapshot.isBasic ? await freezeForBasicDriver(run) : {}
  const { namespace, name } = state
  const answer = await driverClient(run, backend.driver).checkpoint(
    {
      sandboxName: name,
      sandboxNamespace: namespace,
      podName: state.instanceId ?? '',
      parameters: { ...backend.parameters, ...paths },
      operationId: callId(operation, 'checkpoint'),
      fence: operation.fence,
      sandbox: sandboxKey(run),
      secrets: await secretsOf(run, backend),
      snapshotUid: snapshot.uid,
      driver: backend.driver,
      leaveRunning: operation.kind === 'Snapshot',
      workloadDigest: workloadDigest(sandboxOf(run)),
    },
    callOptions(run),
  )
  const taken = {
    // Drivers of the proposal choose their own ID.
    snapshotUid: answer.snapshotUid || snapshot.uid,
    sizeBytes: Number(answer.sizeBytes),
    digest: answer.digest,
    captured: answer.captured.length > 0 ? answer.captured : ['filesystem'],
    compatibility: { ...answer.compatibility },
    driverMetadata: { ...answer.driverMetadata },
  }
  return { next: 'Checkpointed', data: { taken, paths } }
}

/** Freezes the instance for a driver without extensions, and gives the driver its paths. */
async function freezeForBasicDriver(run: OperationRun): Promise<Record<string, string>> {
  const { operation, state } = run
  const request = {
    sandbox: sandboxKey(run),
    instanceId: state.instanceId ?? '',
    operationId: callId(operation, 'freeze'),
    fence: operation.fence,
  }
  const runtime = runtimeClient(run)
  await runtime.freeze(request, callOptions(run)).catch((error: unknown) => {
    if (!isUnimplemented(error)) throw error
  })
  const { instance } = await runtime.getInstance(request, callOptions(run))
  return {
    'flotilla.dev/operation-id': callId(operation, 'checkpoint'),
    'flotilla.dev/pid': String(instance?.pid ?? 0),
    ...pathsOf(instance),
  }
}

function pathsOf(instance: object | undefined): Record<string, string> {
  if (instance === undefined || !('workspace' in instance)) return {}
  const { workspace } = instance
  const volumes = 'volumes' in instance ? instance.volumes : {}
  return {
    'flotilla.dev/workspace': String(workspace),
    'flotilla.dev/volumes': JSON.stringify(volumes),
  }
}

/** Reads the snapshot back before the workload ends. Basic drivers cannot be asked. */
export async function verify(run: OperationRun): Promise<Outcome> {
  const snapshot = recordedSnapshot(run.operation)
  const found = snapshot.isBasic ? null : await readSnapshot(run, snapshot)
  if (found !== null) requireSame(snapshot, found)
  if (snapshot.isBasic && run.operation.kind === 'Snapshot') await thaw(run)
  return { next: 'Verified' }
}

async function readSnapshot(
  run: OperationRun,
  { backend, taken }: RecordedSnapshot,
): Promise<GetSnapshotResponse | null> {
  const request = {
    snapshotUid: recorded(taken, 'snapshotUid'),
    parameters: { ...backend.parameters },
    secrets: await secretsOf(run, backend),
    driver: backend.driver,
    sandbox: sandboxKey(run),
  }
  try {
    return await driverClient(run, backend.driver).getSnapshot(request, callOptions(run))
  } catch (error) {
    if (isUnimplemented(error)) return null
    throw error
  }
}

function requireSame({ taken }: RecordedSnapshot, { snapshot }: GetSnapshotResponse): void {
  const isSame =
    snapshot !== undefined &&
    snapshot.complete &&
    snapshot.digest === taken['digest'] &&
    Number(snapshot.sizeBytes) === taken['sizeBytes']
  if (isSame) return
  throw new OperationProblem('SnapshotCorrupt', {
    message: `The stored snapshot differs from the one that was taken (digest ${snapshot?.digest ?? 'absent'}, expected ${recorded(taken, 'digest')})`,
    action: 'retry',
  })
}

/** Lets a frozen workload continue. Idempotent. */
export async function thaw(run: OperationRun): Promise<void> {
  const { operation, state } = run
  if (state.instanceId === null) return
  const request = {
    sandbox: sandboxKey(run),
    instanceId: state.instanceId,
    operationId: callId(operation, 'thaw'),
    fence: operation.fence,
  }
  await runtimeClient(run)
    .thaw(request, callOptions(run))
    .catch((error: unknown) => {
      if (!isUnimplemented(error)) throw error
    })
}
