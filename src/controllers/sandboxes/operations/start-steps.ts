import type { SandboxProgress, SandboxState } from '../../../core/sandboxes/sandbox-state.ts'
import type { Instance, Workload } from '../../../drivers/proto/snapshot_driver_pb.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { resolveEnv } from '../model/resolve-env.ts'
import { resolveVolumes } from '../model/resolve-volumes.ts'
import { workloadDigest, workloadOf } from '../model/workload-of.ts'
import { chooseRuntime, requireStarts } from './choose-runtime.ts'
import {
  attemptId,
  callId,
  callOptions,
  type OperationRun,
  type Outcome,
  planeClient,
  runtimeClient,
  sandboxKey,
  sandboxOf,
  type Step,
} from './operation-run.ts'
import { recordedImage, withImage } from './required-image.ts'
import { OperationProblem } from './operation-problem.ts'
import { requireRunning } from './require-running.ts'

/** Starts a workload: at first, after its end, and without a snapshot. */
export const START_STEPS: Readonly<Record<'Begun' | 'Placed', Step>> = {
  Begun: (run) => place(run),
  Placed: startClean,
}

/** Records the runtime and the instance before the runtime hears of them. */
export async function place(run: OperationRun, { isCold = false } = {}): Promise<Outcome> {
  const placement = { machine: null, driver: null, ignoresFiles: isCold }
  const { image, ...chosen } = await chooseRuntime(run, placement)
  const details = withImage(run.state.details, image)
  return { next: 'Placed', progress: { ...chosen, details, instanceId: attemptId(run.operation) } }
}

/**
 * Starts the workload without a snapshot. It keeps the files of a restart, of a stopped sandbox, and
 * of a frozen one whose memory was lost with its machine.
 */
export async function startClean(run: OperationRun): Promise<Outcome> {
  const { state, operation } = run
  const isRestart = operation.data['isRestart'] === true
  const isCold = operation.data['coldBoot'] === true
  const keepsFiles = isRestart || (!isCold && hasWorkspace(state))
  const instance = await startInstance(run, { clean: !keepsFiles, metadata: {} })
  const restarts = Number(state.details['restarts'] ?? 0)
  const progress = running(run, instance)
  return {
    finish: 'Succeeded',
    progress: {
      ...progress,
      boot: 'CLEAN',
      details: {
        ...progress.details,
        restarts: isRestart ? restarts + 1 : 0,
        address: instance.address,
        ...restoredDetails(run),
      },
    },
  }
}

/** Why the sandbox runs without its earlier memory; empty if nothing is missing. */
function restoredDetails({ state, operation }: OperationRun): JsonObject {
  if (state.details['lost'] === true) {
    const message = 'The workload was lost with its machine and has started again with its files'
    return { restored: { reason: 'WorkloadLost', message } }
  }
  if (operation.data['coldBoot'] !== true) return {}
  const what = hasWorkspace(state) ? 'files' : 'snapshot'
  const message = `The sandbox has started without its ${what}`
  return { restored: { reason: 'ColdBoot', message } }
}

/** Whether a suspension has left the workspace on the runtime. */
export function hasWorkspace({ suspendedBy }: Pick<SandboxState, 'suspendedBy'>): boolean {
  return suspendedBy === 'Stop' || suspendedBy === 'Freeze'
}

interface StartOptions {
  readonly clean: boolean
  readonly metadata: Readonly<Record<string, string>>
}

/** Starts the instance of the row and checks that it is alive. */
export async function startInstance(
  run: OperationRun,
  { clean, metadata }: StartOptions,
): Promise<Instance> {
  const { operation, state, parts } = run
  // The runtime may have been chosen by a server with another configuration.
  requireStarts(parts, state.isolationClass)
  const { instance } = await runtimeClient(run).start(
    {
      sandbox: sandboxKey(run),
      instanceId: state.instanceId ?? '',
      operationId: callId(operation, 'start'),
      fence: operation.fence,
      workload: await resolvedWorkload(run),
      restoreMetadata: { ...metadata },
      clean,
    },
    callOptions(run),
  )
  return requireRunning(instance)
}

/** The workload with the values that it takes from other objects of its namespace. */
async function resolvedWorkload(run: OperationRun): Promise<Workload> {
  const sandbox = sandboxOf(run)
  const client = planeClient(run)
  const resolved = await resolveEnv(client, sandbox)
  if ('missing' in resolved) {
    throw new OperationProblem('EnvironmentNotFound', {
      message: `The value of the environment variable ${resolved.missing} does not exist`,
      action: 'unresolved',
    })
  }
  const volumes = await resolveVolumes(client, sandbox)
  if ('missing' in volumes) {
    throw new OperationProblem('VolumeSourceNotFound', {
      message: `The files of a volume are missing: ${volumes.missing}`,
      action: 'unresolved',
    })
  }
  const { isolationClass, details } = run.state
  const image = recordedImage(details)?.digest ?? ''
  return workloadOf(sandbox.spec, { ...resolved, ...volumes, isolationClass, image })
}

/** The row of a sandbox whose instance runs. */
export function running(run: OperationRun, { startedUnixMs }: Instance): Partial<SandboxProgress> {
  const startedTime = new Date(Number(startedUnixMs)).toISOString()
  return {
    phase: 'Running',
    suspendedBy: null,
    snapshot: null,
    workloadDigest: workloadDigest(sandboxOf(run)),
    details: { ...withoutFailure(run.state.details), startedTime },
  }
}

/** The details without those of an earlier end or failure. */
export function withoutFailure(details: SandboxProgress['details']): SandboxProgress['details'] {
  const { failure, exitCode, exitSignal, finishedTime, lost, restored, ...rest } = details
  void [failure, exitCode, exitSignal, finishedTime, lost, restored]
  return rest
}
