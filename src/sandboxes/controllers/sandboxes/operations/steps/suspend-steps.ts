import type { SandboxProgress } from '../../../../storage/sandbox-state.ts'
import { isExpired } from '../../model/decide.ts'
import { HIBERNATE_STEPS } from './hibernate-steps.ts'
import {
  callId,
  callOptions,
  type OperationRun,
  type Outcome,
  runtimeClient,
  sandboxKey,
  sandboxOf,
  type Step,
} from '../operation-run.ts'
import { suspended } from '../suspended.ts'
import { terminate } from '../terminate.ts'

/** Suspends a sandbox by its strategy. */
export const SUSPEND_STEPS: Readonly<Record<'Begun' | keyof typeof HIBERNATE_STEPS, Step>> = {
  Begun: begin,
  ...HIBERNATE_STEPS,
}

/** Each attempt reads the strategy, so that a correction applies to the next one. */
function begin(run: OperationRun): Promise<Outcome> {
  const { operation, state, parts } = run
  const { spec } = sandboxOf(run)
  const { strategy } = spec
  const isForced = operation.data['stop'] === true || isExpired(spec, parts.timers.clock())
  if (!isForced && state.details['lost'] === true) return Promise.resolve(keepFiles(run))
  if (isForced || state.instanceId === null || strategy.type === 'Stop') return stop(run)
  return strategy.type === 'Freeze' ? freeze(run) : Promise.resolve({ next: 'Hibernating' })
}

/** The machine has restarted: no process is left to suspend, but its files are. */
function keepFiles(run: OperationRun): Outcome {
  return { finish: 'Succeeded', progress: suspended(run, 'Freeze') }
}

/**
 * Ends the workload and keeps its files, unless the sandbox has expired and never runs again. The
 * marker keeps a later start from restoring an older snapshot.
 */
async function stop(run: OperationRun): Promise<Outcome> {
  const removesWorkspace = isExpired(sandboxOf(run).spec, run.parts.timers.clock())
  await terminate(run, { isGraceful: true, removesWorkspace })
  const progress = suspended(run, 'Stop')
  const { reason, message } = run.operation
  if (run.operation.data['stop'] !== true || reason === null)
    return { finish: 'Succeeded', progress }
  const details = { ...progress.details, failure: { reason, message: message ?? '' } }
  return { finish: 'Succeeded', progress: { ...progress, details } }
}

async function freeze(run: OperationRun): Promise<Outcome> {
  const { operation, state } = run
  const request = {
    sandbox: sandboxKey(run),
    instanceId: state.instanceId ?? '',
    operationId: callId(operation, 'freeze'),
    fence: operation.fence,
  }
  await runtimeClient(run).freeze(request, callOptions(run))
  const progress: Partial<SandboxProgress> = {
    ...suspended(run, 'Freeze'),
    phase: 'Frozen',
    instanceId: state.instanceId,
  }
  return { finish: 'Succeeded', progress }
}
