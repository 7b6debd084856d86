import type { DecidedCondition } from 'flotilla/controllers'
import type { SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { ConditionFacts } from './condition-facts.ts'

type Verdict = Omit<DecidedCondition, 'type'>

/** Always present, so that clients can wait for both statuses. */
export function suspendedCondition(facts: ConditionFacts): Verdict {
  const { intent, position, state } = facts
  if (position === 'Suspended' && !isResuming(facts)) {
    const message =
      state?.suspendedBy === 'Hibernate'
        ? 'The workload does not run; a snapshot has its state'
        : 'The workload does not run'
    return { status: 'True', reason: 'PodTerminated', message }
  }
  if (position === 'Frozen' && !isResuming(facts)) {
    return { status: 'True', reason: 'Frozen', message: 'The workload is frozen in memory' }
  }
  if (intent !== 'Suspend') {
    return { status: 'False', reason: 'NotSuspended', message: 'The sandbox is not suspended' }
  }
  return suspending(facts.operation)
}

/** A resume that cannot proceed leaves the sandbox suspended. */
function isResuming({ intent, operation }: ConditionFacts): boolean {
  if (intent !== 'Run') return false
  return (
    operation === null || operation.reason === null || operation.reason === 'RuntimeUnreachable'
  )
}

const CHECKPOINT_STEPS: ReadonlySet<string> = new Set([
  'Hibernating',
  'Prepared',
  'Recorded',
  'Checkpointed',
  'Verified',
])

function suspending(operation: SandboxOperation | null): Verdict {
  if (operation?.kind === 'Suspend' && operation.reason !== null) {
    const reason = isUnresolved(operation.reason) ? 'NotSuspended' : 'CheckpointFailed'
    const message = `${operation.reason}: ${operation.message ?? ''}`
    return { status: 'False', reason, message }
  }
  if (operation?.kind === 'Suspend' && CHECKPOINT_STEPS.has(operation.step)) {
    return { status: 'False', reason: 'Checkpointing', message: 'The snapshot is being taken' }
  }
  return { status: 'False', reason: 'PodTerminating', message: 'The workload is being ended' }
}

const UNRESOLVED: Readonly<Record<string, true>> = {
  ProviderNotFound: true,
  ClassNotFound: true,
  ClaimNotFound: true,
  ClaimNotBound: true,
  TemplateNotFound: true,
  DriverNotFound: true,
  ParametersInvalid: true,
  NameConflict: true,
  AmbiguousDefaultClass: true,
  CredentialsNotFound: true,
}

/** Whether a reason belongs to the condition BackendResolved. */
export function isUnresolved(reason: string): boolean {
  return Object.hasOwn(UNRESOLVED, reason)
}
