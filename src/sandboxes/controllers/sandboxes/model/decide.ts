import type { OperationKind, SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { SandboxState } from '../../../storage/sandbox-state.ts'
import type { Sandbox } from '../../../model/sandbox.ts'
import type { RestartPolicy } from '../../../model/workload.ts'

/** The state that the spec demands. */
export type Intent = 'Run' | 'Suspend' | 'Delete'

/** The state of a sandbox between operations. */
export type Position =
  | 'New'
  | 'Running'
  | 'Frozen'
  /** The workload has ended and starts again. */
  | 'Ended'
  /** The workload has ended and does not start again. */
  | 'Finished'
  | 'Suspended'

/** An unfinished operation: whether it can still be undone. */
export type Progress = 'Undoable' | 'Committed'

/** The next action of the controller. */
export type Action =
  | 'Nothing'
  | 'BeginStart'
  | 'BeginSuspend'
  | 'BeginResume'
  | 'BeginSnapshot'
  | 'BeginDelete'
  | 'Continue'
  | 'Cancel'

/** Decisions without an unfinished operation. */
const IDLE: Record<Intent, Record<Position, Action>> = {
  Run: {
    New: 'BeginStart',
    Running: 'Nothing',
    Frozen: 'BeginResume',
    Ended: 'BeginStart',
    Finished: 'Nothing',
    Suspended: 'BeginResume',
  },
  Suspend: {
    New: 'BeginSuspend',
    Running: 'BeginSuspend',
    Frozen: 'Nothing',
    Ended: 'BeginSuspend',
    Finished: 'BeginSuspend',
    Suspended: 'Nothing',
  },
  Delete: {
    New: 'BeginDelete',
    Running: 'BeginDelete',
    Frozen: 'BeginDelete',
    Ended: 'BeginDelete',
    Finished: 'BeginDelete',
    Suspended: 'BeginDelete',
  },
}

/** Decisions with an unfinished operation. Only one that can be undone is cancelled. */
const BUSY: Record<Intent, Record<OperationKind, Record<Progress, Action>>> = {
  Run: {
    Start: { Undoable: 'Continue', Committed: 'Continue' },
    Suspend: { Undoable: 'Cancel', Committed: 'Continue' },
    Resume: { Undoable: 'Continue', Committed: 'Continue' },
    Snapshot: { Undoable: 'Continue', Committed: 'Continue' },
    Delete: { Undoable: 'Continue', Committed: 'Continue' },
    DeleteSnapshot: { Undoable: 'Continue', Committed: 'Continue' },
  },
  Suspend: {
    Start: { Undoable: 'Cancel', Committed: 'Continue' },
    Suspend: { Undoable: 'Continue', Committed: 'Continue' },
    Resume: { Undoable: 'Cancel', Committed: 'Continue' },
    Snapshot: { Undoable: 'Continue', Committed: 'Continue' },
    Delete: { Undoable: 'Continue', Committed: 'Continue' },
    DeleteSnapshot: { Undoable: 'Continue', Committed: 'Continue' },
  },
  Delete: {
    Start: { Undoable: 'Cancel', Committed: 'Continue' },
    Suspend: { Undoable: 'Cancel', Committed: 'Continue' },
    Resume: { Undoable: 'Cancel', Committed: 'Continue' },
    Snapshot: { Undoable: 'Cancel', Committed: 'Continue' },
    Delete: { Undoable: 'Continue', Committed: 'Continue' },
    DeleteSnapshot: { Undoable: 'Continue', Committed: 'Continue' },
  },
}

interface Situation {
  readonly intent: Intent
  readonly position: Position
  readonly operation: Pick<SandboxOperation, 'kind' | 'step'> | null
  /** Whether a live snapshot was requested. */
  readonly wantsSnapshot: boolean
}

/** The next action for a sandbox. Pure: the same situation has the same answer. */
export function decide({ intent, position, operation, wantsSnapshot }: Situation): Action {
  if (operation !== null) return BUSY[intent][operation.kind][progressOf(operation)]
  const action = IDLE[intent][position]
  return action === 'Nothing' && wantsSnapshot && position === 'Running' ? 'BeginSnapshot' : action
}

/** The steps after which an operation is only completed, never undone. */
const COMMITTED_STEPS: ReadonlySet<string> = new Set(['Committed', 'Published', 'Started'])

/** Whether an operation has passed its commit point. */
export function progressOf({ step }: Pick<SandboxOperation, 'step'>): Progress {
  return COMMITTED_STEPS.has(step) ? 'Committed' : 'Undoable'
}

export function intentOf(sandbox: Sandbox, now: Date): Intent {
  if (sandbox.isDeleting) return 'Delete'
  return sandbox.operatingMode === 'Suspended' || isExpired(sandbox, now) ? 'Suspend' : 'Run'
}

/** Whether the time of the sandbox has ended. It never runs again then. */
export function isExpired({ shutdownTime }: Pick<Sandbox, 'shutdownTime'>, now: Date): boolean {
  return shutdownTime !== null && shutdownTime <= now
}

export function positionOf(state: SandboxState | null, policy: RestartPolicy): Position {
  if (state === null) return 'New'
  switch (state.phase) {
    case 'Running':
      return 'Running'
    case 'Frozen':
      return 'Frozen'
    case 'Exited':
      return mayRestart(state, policy) ? 'Ended' : 'Finished'
    case 'Absent':
      return state.suspendedBy === null ? 'New' : 'Suspended'
  }
}

/** A workload that was lost with its machine starts again, whatever the policy. */
function mayRestart({ details }: SandboxState, policy: RestartPolicy): boolean {
  if (policy === 'Always' || details['lost'] === true) return true
  return policy === 'OnFailure' && details['exitCode'] !== 0
}
