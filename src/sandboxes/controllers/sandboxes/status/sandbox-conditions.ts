import { isJsonObject, type JsonValue } from 'flotilla'
import type { DecidedCondition } from 'flotilla/controllers'
import { lossMessage } from '../model/loss-message.ts'
import type { SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { SandboxState } from '../../../storage/sandbox-state.ts'
import type { ConditionFacts } from './condition-facts.ts'
import { limitsEnforced } from './limits-condition.ts'
import { backendResolved, snapshotReady } from './snapshot-conditions.ts'
import { suspendedCondition } from './suspended-condition.ts'

type Verdict = Omit<DecidedCondition, 'type'>

/**
 * All conditions of a sandbox. Finished is absent until the workload has ended for good, and
 * LimitsEnforced if the workload sets no limits.
 */
export function sandboxConditions(facts: ConditionFacts): readonly DecidedCondition[] {
  const finished = finishedVerdict(facts)
  const restored = restoredVerdict(facts)
  const limited = limitsEnforced(facts)
  return [
    { type: 'Ready', ...ready(facts) },
    { type: 'Suspended', ...suspendedCondition(facts) },
    ...(finished ? [{ type: 'Finished', ...finished }] : []),
    { type: 'BackendResolved', ...backendResolved(facts) },
    { type: 'SnapshotReady', ...snapshotReady(facts) },
    { type: 'Progressing', ...progressing(facts) },
    ...(restored ? [{ type: 'Restored', ...restored }] : []),
    ...(limited ? [{ type: 'LimitsEnforced', ...limited }] : []),
  ]
}

function ready(facts: ConditionFacts): Verdict {
  const { intent, position, isExpired, lostRuntime, operation } = facts
  if (isExpired) return no('SandboxExpired', 'The shutdown time of the sandbox has passed')
  if (intent === 'Delete') return no('DependenciesNotReady', 'The sandbox is being deleted')
  const isBlocked = isBlockedSuspension(facts)
  if (intent === 'Suspend' && !isBlocked) return no('SandboxSuspended', suspensionMessage(facts))
  if (position === 'Running' && lostRuntime !== null) {
    return no('RuntimeUnreachable', `${lostRuntime}; the workload may still run`)
  }
  if (isBlocked) {
    const message = 'The workload runs; it cannot be suspended yet: see the condition Suspended'
    return yes('DependenciesReady', message)
  }
  const reason = operation?.reason ?? null
  if (reason !== null && OWN_REASONS.has(reason)) return no(reason, operation?.message ?? '')
  if (operation !== null && operation.kind !== 'Snapshot') {
    return no('DependenciesNotReady', describe(operation))
  }
  return readyWhenIdle(facts)
}

/** Problems that users solve: they are the reason of Ready, instead of a part of its message. */
const OWN_REASONS: ReadonlySet<string> = new Set([
  'NoRuntime',
  'Unisolated',
  'ImageNotFound',
  'ImageForbidden',
  'VolumeSourceNotFound',
])

/** A failed suspension leaves the workload running. A later attempt does not change that. */
function isBlockedSuspension({ position, operation }: ConditionFacts): boolean {
  if (position !== 'Running' || operation?.kind !== 'Suspend') return false
  return operation.reason !== null || (operation.attempt > 1 && operation.data['stop'] !== true)
}

/** Ready is False as soon as a suspension is requested, while the workload may still run. */
function suspensionMessage({ position }: ConditionFacts): string {
  return position === 'Suspended' || position === 'Frozen'
    ? 'The sandbox is suspended'
    : 'The sandbox is being suspended'
}

function readyWhenIdle({ position, state, unready }: ConditionFacts): Verdict {
  switch (position) {
    case 'Running':
      return unready === null
        ? yes('DependenciesReady', 'The workload runs')
        : no('ContainersNotReady', `The workload runs, but ${unready}`)
    case 'Ended':
      return Number(state?.details['restarts'] ?? 0) > 0
        ? no('CrashLoopBackOff', `${ending(state)}; it starts again after a pause`)
        : no('DependenciesNotReady', `${ending(state)}; it starts again`)
    case 'Finished':
      return no('DependenciesNotReady', ending(state))
    case 'New':
    case 'Frozen':
    case 'Suspended':
      return no('DependenciesNotReady', 'The workload is about to start')
  }
}

function finishedVerdict({ position, state }: ConditionFacts): Verdict | null {
  if (position !== 'Finished') return null
  return state?.details['exitCode'] === 0
    ? yes('PodSucceeded', ending(state))
    : yes('PodFailed', ending(state))
}

function progressing({ operation }: ConditionFacts): Verdict {
  if (operation === null) return no('Complete', 'No operation is unfinished')
  return yes(operation.step, describe(operation))
}

/** Null if the sandbox was never restored. A failed restore is reported until it succeeds. */
function restoredVerdict({ state, operation }: ConditionFacts): Verdict | null {
  if (operation?.kind === 'Resume' && operation.reason !== null) {
    const reason = RESTORE_REASONS.has(operation.reason) ? operation.reason : 'RestoreFailed'
    return no(reason, operation.message ?? '')
  }
  const restored = textsOf(state?.details['restored'])
  if (restored === null) return null
  return restored.reason === 'Restored'
    ? yes('Restored', restored.message)
    : no(restored.reason, restored.message)
}

const RESTORE_REASONS: ReadonlySet<string> = new Set(['SnapshotCorrupt', 'Incompatible'])

function describe({ kind, step, attempt, reason, message }: SandboxOperation): string {
  const problem = reason === null ? '' : `; ${reason}: ${message ?? ''}`
  return `${kind}, attempt ${attempt}, completed step ${step}${problem}`
}

function ending(state: SandboxState | null): string {
  const details = state?.details ?? {}
  const { exitCode, exitSignal, exitMessage, lost } = details
  if (lost === true) return lossMessage(details)
  const explanation = typeof exitMessage === 'string' ? `: ${exitMessage}` : ''
  if (typeof exitSignal === 'number' && exitSignal > 0) {
    return `The workload was ended by signal ${exitSignal}${explanation}`
  }
  const code = typeof exitCode === 'number' ? exitCode : 'unknown'
  return `The workload has ended with exit code ${code}${explanation}`
}

function textsOf(value: JsonValue | undefined) {
  const { reason, message } = isJsonObject(value) ? value : {}
  return typeof reason === 'string' && typeof message === 'string' ? { reason, message } : null
}

function yes(reason: string, message: string): Verdict {
  return { status: 'True', reason, message }
}

function no(reason: string, message: string): Verdict {
  return { status: 'False', reason, message }
}
