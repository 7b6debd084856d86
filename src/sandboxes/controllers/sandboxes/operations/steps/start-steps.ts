import type { JsonObject } from 'flotilla'
import type { SandboxProgress, SandboxState } from '../../../../storage/sandbox-state.ts'
import type { Instance, Workload } from '../../../../drivers/generated/proto/snapshot_driver_pb.ts'
import type { ApiToken } from '../../api-tokens.ts'
import { lossMessage } from '../../model/loss-message.ts'
import { resolveEnv } from '../../model/resolve-env.ts'
import { resolveVolumes } from '../../model/resolve-volumes.ts'
import { workloadDigest, workloadOf } from '../../model/workload-of.ts'
import { chooseRuntime, requireStarts } from '../placement/choose-runtime.ts'
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
} from '../operation-run.ts'
import { recordedImage, withImage } from '../required-image.ts'
import { OperationProblem } from '../operation-problem.ts'

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
  const started = await startInstance(run, { clean: !keepsFiles, metadata: {} })
  const restarts = Number(state.details['restarts'] ?? 0)
  const progress = running(run, started)
  return {
    finish: 'Succeeded',
    progress: {
      ...progress,
      boot: 'CLEAN',
      details: {
        ...progress.details,
        restarts: isRestart ? restarts + 1 : 0,
        address: started.instance.address,
        ...restoredDetails(run),
      },
    },
  }
}

/** Why the sandbox runs without its earlier memory; empty if nothing is missing. */
function restoredDetails({ state, operation }: OperationRun): JsonObject {
  if (state.details['lost'] === true) {
    const message = `${lossMessage(state.details)} and has started again with its files`
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

interface Access extends ApiToken {
  readonly account: string
}

interface Started {
  readonly instance: Instance
  /** Null without access to the API. */
  readonly access: Access | null
}

/** Starts the instance of the row and checks that it is alive. */
export async function startInstance(
  run: OperationRun,
  { clean, metadata }: StartOptions,
): Promise<Started> {
  const { operation, state, parts } = run
  // The runtime may have been chosen by a server with another configuration.
  requireStarts(parts, state.isolationClass)
  const access = await grantAccess(run)
  const { instance } = await runtimeClient(run).start(
    {
      sandbox: sandboxKey(run),
      instanceId: state.instanceId ?? '',
      operationId: callId(operation, 'start'),
      fence: operation.fence,
      workload: await resolvedWorkload(run, access?.token ?? null),
      restoreMetadata: { ...metadata },
      clean,
    },
    callOptions(run),
  )
  return { instance: requireRunning(instance), access }
}

/** A token for the access to the API that the sandbox asks for; null if it asks for none. */
async function grantAccess(run: OperationRun): Promise<Access | null> {
  const { state, parts } = run
  const { apiAccount: account } = sandboxOf(run).spec.workload
  if (account === null) return null
  const denied = (reason: string, message: string) =>
    new OperationProblem(reason, { message, action: 'unresolved' })
  const { apiTokens } = parts
  if (apiTokens.problem !== null) throw denied('ApiAccessDenied', apiTokens.problem)
  const instance = state.instanceId ?? ''
  const issued = await apiTokens.issue({ sandbox: state, instance, account })
  if (issued !== null) return { account, ...issued }
  const message = `The service account "${account}" does not exist in the namespace of the sandbox`
  throw denied('ServiceAccountNotFound', message)
}

/** The workload with the values that it takes from other objects of its namespace. */
async function resolvedWorkload(run: OperationRun, token: string | null): Promise<Workload> {
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
  const tenant = await run.parts.tenantOf(run.state.plane)
  return workloadOf(sandbox.spec, { ...resolved, ...volumes, isolationClass, image, tenant, token })
}

/** The row of a sandbox whose instance runs. */
export function running(
  run: OperationRun,
  { instance: { startedUnixMs }, access }: Started,
): Partial<SandboxProgress> {
  const startedTime = new Date(Number(startedUnixMs)).toISOString()
  const apiAccess = access && {
    account: access.account,
    renewTime: access.renewTime.toISOString(),
  }
  return {
    phase: 'Running',
    suspendedBy: null,
    snapshot: null,
    workloadDigest: workloadDigest(sandboxOf(run)),
    details: { ...withoutFailure(run.state.details), startedTime, apiAccess },
  }
}

/** The details without those of an earlier end or failure. */
export function withoutFailure(details: SandboxProgress['details']): SandboxProgress['details'] {
  const { failure, exitCode, exitSignal, finishedTime, lost, restored, ...rest } = details
  void [failure, exitCode, exitSignal, finishedTime, lost, restored]
  return rest
}

/**
 * The instance, if the runtime has it. A workload that has already ended was started all the same:
 * the restart policy decides whether it starts again.
 */
function requireRunning(instance: Instance | undefined): Instance {
  if (instance !== undefined && instance.state !== 'Removed') return instance
  throw new OperationProblem('StartFailed', {
    message: `The runtime reports the instance as ${instance?.state ?? 'absent'} after its start`,
    action: 'retry',
  })
}
