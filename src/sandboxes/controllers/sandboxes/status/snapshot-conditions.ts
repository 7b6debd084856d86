import { isJsonObject } from 'flotilla'
import type { DecidedCondition } from 'flotilla/controllers'
import { recorded } from '../operations/operation-run.ts'
import type { ConditionFacts } from './condition-facts.ts'
import { isUnresolved } from './suspended-condition.ts'

type Verdict = Omit<DecidedCondition, 'type'>

/** Whether the backend of the sandbox's snapshots is available. */
export function backendResolved({ usesSnapshots, operation, state }: ConditionFacts): Verdict {
  if (operation !== null && operation.reason !== null && isUnresolved(operation.reason)) {
    return { status: 'False', reason: operation.reason, message: operation.message ?? '' }
  }
  const failed = failedAttempts(operation)
  if (failed !== null) return { status: 'True', reason: 'Resolved', message: failed }
  const isResolved =
    operation?.data['backend'] !== undefined || isJsonObject(state?.details['snapshot'])
  if (isResolved) {
    return { status: 'True', reason: 'Resolved', message: 'The backend of snapshots is resolved' }
  }
  return usesSnapshots
    ? { status: 'Unknown', reason: 'NotRequired', message: 'No snapshot was taken yet' }
    : { status: 'Unknown', reason: 'NotRequired', message: 'The strategy takes no snapshots' }
}

/** The attempts of a snapshot that have failed with a resolved backend; null if none has. */
function failedAttempts(operation: ConditionFacts['operation']): string | null {
  if (operation?.kind !== 'Suspend' || operation.data['stop'] === true) return null
  const { attempt, reason, message } = operation
  const failed = attempt - 1
  if (failed === 0) return null
  const last = reason === null ? '' : `, the last one with ${reason}: ${message ?? ''}`
  const count = failed === 1 ? '1 attempt' : `${failed} attempts`
  return `The backend of snapshots is resolved; ${count} to take the snapshot failed${last}`
}

const FAILURES: ReadonlySet<string> = new Set(['SnapshotCorrupt', 'StoreFull', 'NoSnapshot'])

/** Whether the sandbox has a snapshot to resume from. */
export function snapshotReady({ operation, state }: ConditionFacts): Verdict {
  const isTaking = operation?.kind === 'Suspend' || operation?.kind === 'Snapshot'
  if (operation !== null && operation.reason !== null && !isUnresolved(operation.reason)) {
    const { reason, message } = operation
    if (FAILURES.has(reason)) return { status: 'False', reason, message: message ?? '' }
    if (isTaking) return { status: 'False', reason: 'CheckpointFailed', message: message ?? '' }
  }
  if (isTaking && operation.data['snapshot'] !== undefined && operation.step !== 'Published') {
    return { status: 'False', reason: 'Creating', message: 'The snapshot is being taken' }
  }
  const failure = state?.details['failure']
  if (isJsonObject(failure) && typeof failure['reason'] === 'string') {
    return { status: 'False', reason: failure['reason'], message: recorded(failure, 'message') }
  }
  const snapshot = state?.details['snapshot']
  if (!isJsonObject(snapshot)) {
    return { status: 'False', reason: 'NoSnapshot', message: 'The sandbox has no snapshot' }
  }
  const message = `The Snapshot "${recorded(snapshot, 'name')}" is complete`
  return { status: 'True', reason: 'Created', message }
}
