import { readOrNull } from 'flotilla/controllers'
import type { Backend } from '../../../../model/backends/backend.ts'
import { recordBackend } from '../../../../model/backends/recorded-backend.ts'
import { type Snapshot, snapshotOf } from '../../../../model/snapshot.ts'
import { driverStates } from '../../../snapshot-backends/driver-states.ts'
import { resolveSnapshotBackend } from '../../../snapshot-backends/resolve-snapshot-backend.ts'
import { SNAPSHOTS } from '../../../snapshot-claims/snapshot-resources.ts'
import { workloadDigest } from '../../model/workload-of.ts'
import { thaw } from '../checkpoint.ts'
import { SandboxDriverError } from '../../../../drivers/protocol/sandbox-driver-error.ts'
import { lostRuntime } from '../../runtimes/lost-runtime.ts'
import { chooseRuntime } from '../placement/choose-runtime.ts'
import { consumeSnapshot } from '../consume-snapshot.ts'
import {
  attemptId,
  callId,
  callOptions,
  driverClient,
  type OperationRun,
  type Outcome,
  planeClient,
  recorded,
  sandboxKey,
  sandboxOf,
  type Step,
} from '../operation-run.ts'
import { OperationProblem } from '../operation-problem.ts'
import { recordedImage, withImage } from '../required-image.ts'
import { requireCompatible } from '../require-compatible.ts'
import { recordedSnapshot, textMap } from '../recorded-snapshot.ts'
import { requireResolved, secretsOf } from '../placement/usable-backend.ts'
import { place, running, startClean, startInstance, withoutFailure } from './start-steps.ts'

/** Resumes a sandbox: thaws it, restores its snapshot, or starts it without one. */
export const RESUME_STEPS: Readonly<
  Record<'Begun' | 'Placed' | 'Resolved' | 'Restored' | 'Started', Step>
> = {
  Begun: begin,
  Placed: startClean,
  Resolved: restore,
  Restored: startRestored,
  Started: consumeSnapshot,
}

async function begin(run: OperationRun): Promise<Outcome> {
  const { state, operation } = run
  const { spec } = sandboxOf(run)
  if (state.phase === 'Frozen') return continueFrozen(run)
  const isCold = operation.data['coldBoot'] === true || spec.requestsColdBoot
  // A sandbox that was suspended before its first start has not used its snapshot yet.
  const name = state.snapshot?.name ?? (state.boot === null ? spec.restoreFrom : null)
  if (name !== null && !isCold) return resolveSnapshot(run, name)
  if (!isCold) return place(run)
  return { ...(await place(run, { isCold })), data: { coldBoot: true } }
}

async function continueFrozen(run: OperationRun): Promise<Outcome> {
  await thaw(run)
  const { details } = run.state
  return {
    finish: 'Succeeded',
    progress: { phase: 'Running', suspendedBy: null, details: withoutFailure(details) },
  }
}

/** The backend comes first: if it cannot be resolved, no driver is called. */
async function resolveSnapshot(run: OperationRun, name: string): Promise<Outcome> {
  const { state, operation } = run
  const client = planeClient(run)
  const object = await readOrNull(client, SNAPSHOTS, { namespace: state.namespace, name })
  if (object === null) {
    throw new OperationProblem('NoSnapshot', {
      message: `The Snapshot "${state.namespace}/${name}" does not exist`,
      action: 'fail',
    })
  }
  const snapshot = snapshotOf(object)
  const { runtime: snapshotRuntime } = snapshot
  const lostSource =
    snapshotRuntime === null
      ? null
      : lostRuntime(snapshotRuntime, run.parts.runtimes.get(snapshotRuntime))
  if (lostSource !== null) requireDriver(run, snapshot, lostSource)
  const backend = await findRecordedBackend(run, snapshot)
  requireCompatible(snapshot, { digest: workloadDigest(sandboxOf(run)), uid: state.uid })
  const isShared = backend.store === 's3' || backend.store === 'gcs'
  const machine = isShared ? null : (snapshot.compatibility['machine'] ?? null)
  const placement = { machine, driver: backend.driver, snapshotRuntime }
  const { image, ...chosen } = await chooseRuntime(run, placement)
  const details = withImage(state.details, image)
  return {
    next: 'Resolved',
    data: {
      backend: recordBackend(backend),
      snapshot: { name, uid: snapshot.snapshotUid ?? '' },
      taken: {
        digest: snapshot.digest ?? '',
        captured: [...snapshot.captured],
        driverMetadata: { ...snapshot.driverMetadata },
      },
      source: { name: snapshot.sandbox.name, uid: snapshot.sandbox.uid ?? '' },
      isFork: snapshot.sandbox.uid !== state.uid,
      ...(lostSource !== null && machine !== null && { lostRuntime: lostSource }),
    },
    progress: { ...chosen, details, instanceId: attemptId(operation) },
  }
}

/** Without any live runtime with the driver, the lost one is the reason. */
function requireDriver({ parts }: OperationRun, { backend }: Snapshot, lost: string): void {
  const live = parts.runtimes.list().filter(({ isLive }) => isLive)
  const hasDriver = live.some(({ drivers }) => drivers.some(({ name }) => name === backend?.driver))
  if (backend === null || hasDriver) return
  throw new OperationProblem('NoRuntime', {
    message: `${lost}, and it took the snapshot. No live runtime has the driver "${backend.driver}"`,
    action: 'unresolved',
  })
}

async function findRecordedBackend(run: OperationRun, snapshot: Snapshot): Promise<Backend> {
  const { backend, name } = snapshot
  if (backend === null) {
    throw new OperationProblem('NoSnapshot', {
      message: `The Snapshot "${snapshot.namespace}/${name}" is not complete`,
      action: 'fail',
    })
  }
  const drivers = driverStates(run.parts.runtimes.list())
  return requireResolved(await resolveSnapshotBackend(planeClient(run), backend, drivers)).backend
}

async function restore(run: OperationRun): Promise<Outcome> {
  const { operation, state } = run
  const { backend, uid, taken } = recordedSnapshot(operation)
  const source = textMap(operation.data['source'])
  const restoring = driverClient(run, backend.driver).restore(
    {
      sandboxName: state.name,
      sandboxNamespace: state.namespace,
      snapshotUid: uid,
      parameters: { ...backend.parameters },
      operationId: callId(operation, 'restore'),
      fence: operation.fence,
      sandbox: sandboxKey(run),
      secrets: await secretsOf(run, backend),
      driver: backend.driver,
      instanceId: state.instanceId ?? '',
      digest: recorded(taken, 'digest'),
      workloadDigest: workloadDigest(sandboxOf(run)),
      source: { ...sandboxKey(run), ...source },
      driverMetadata: textMap(taken['driverMetadata']),
      image: recordedImage(state.details)?.digest ?? '',
    },
    callOptions(run),
  )
  const { restoreMetadata } = await restoring.catch((error: unknown) => {
    throw withLostRuntime(error, recorded(operation.data, 'lostRuntime'))
  })
  return { next: 'Restored', data: { metadata: { ...restoreMetadata } } }
}

/** Another runtime of the machine need not reach the snapshot. */
function withLostRuntime(error: unknown, lost: string): unknown {
  if (lost === '' || !(error instanceof SandboxDriverError)) return error
  const { code, reason, message } = error
  return new SandboxDriverError(code, `${message}. ${lost}, and it took the snapshot`, {
    ...(reason !== null && { reason }),
    cause: error,
  })
}

/** Starts the restored workload. Its row changes together with the step. */
async function startRestored(run: OperationRun): Promise<Outcome> {
  const { operation } = run
  const metadata = textMap(operation.data['metadata'])
  const started = await startInstance(run, { clean: false, metadata })
  const isFork = operation.data['isFork'] === true
  const hasMemory = metadata['flotilla.dev/boot'] === 'RESUME'
  const progress = running(run, started)
  const { name } = recordedSnapshot(operation)
  const restored = { reason: 'Restored', message: `Restored from the Snapshot "${name}"` }
  return {
    next: 'Started',
    progress: {
      ...progress,
      boot: isFork ? 'FORK' : hasMemory ? 'RESUME' : 'RESUME_FS',
      details: { ...progress.details, address: started.instance.address, restored, restarts: 0 },
    },
  }
}
