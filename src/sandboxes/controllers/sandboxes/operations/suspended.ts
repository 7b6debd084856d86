import type { SandboxProgress, SuspensionType } from '../../../storage/sandbox-state.ts'
import type { OperationRun } from './operation-run.ts'
import { withoutFailure } from './steps/start-steps.ts'

/** The row of a sandbox without an instance. */
export function suspended(
  { state, parts }: OperationRun,
  suspendedBy: SuspensionType,
): Partial<SandboxProgress> {
  return {
    phase: 'Absent',
    instanceId: null,
    suspendedBy,
    snapshot: suspendedBy === 'Hibernate' ? state.snapshot : null,
    details: {
      ...withoutFailure(state.details),
      suspendedTime: parts.timers.clock().toISOString(),
    },
  }
}
