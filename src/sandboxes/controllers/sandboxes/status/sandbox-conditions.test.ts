import { describe, expect, test } from 'vitest'
import type { SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { SandboxState } from '../../../storage/sandbox-state.ts'
import { sandboxConditions } from './sandbox-conditions.ts'
import type { ConditionFacts } from './condition-facts.ts'

const REF = { plane: 'root', namespace: 'default', name: 'one', uid: 'uid' }
const TIME = new Date(0)

function stateOf(parts: Partial<SandboxState> = {}): SandboxState {
  return {
    ...REF,
    phase: 'Running',
    runtime: 'machine',
    instanceId: 'instance',
    suspendedBy: null,
    snapshot: null,
    workloadDigest: null,
    isolationClass: null,
    boot: 'CLEAN',
    details: {},
    fence: 1n,
    version: 1,
    lastActivityTime: null,
    createdTime: TIME,
    ...parts,
  }
}

function operation(
  kind: SandboxOperation['kind'],
  parts: Partial<SandboxOperation> = {},
): SandboxOperation {
  return {
    ...REF,
    id: 'operation',
    kind,
    step: 'Begun',
    attempt: 1,
    fence: 1n,
    holder: 'server',
    leaseExpiresTime: TIME,
    generation: 1,
    data: {},
    reason: null,
    message: null,
    nextAttemptTime: null,
    createdTime: TIME,
    result: null,
    finishedTime: null,
    ...parts,
  }
}

/** A running sandbox without operations. */
function facts(parts: Partial<ConditionFacts> = {}): ConditionFacts {
  return {
    intent: 'Run',
    position: 'Running',
    isExpired: false,
    usesSnapshots: false,
    state: stateOf(),
    operation: null,
    lostRuntime: null,
    unready: null,
    limits: [],
    runtimeLimits: [],
    ...parts,
  }
}

function conditionOf(type: string, given: ConditionFacts): string {
  const found = sandboxConditions(given).find((each) => each.type === type)
  return found ? `${found.status}/${found.reason}` : 'absent'
}

/**
 * The rows of KEP-119: scenario, facts, Suspended, Ready. Its row "Suspension Blocked" (PodNotOwned)
 * cannot occur: a runtime finds an instance by the uid of its sandbox, so none is foreign.
 */
const TABLE: readonly (readonly [string, Partial<ConditionFacts>, string, string])[] = [
  [
    'Provisioning',
    { position: 'New', state: null, operation: operation('Start') },
    'False/NotSuspended',
    'False/DependenciesNotReady',
  ],
  [
    'Suspending',
    { intent: 'Suspend', operation: operation('Suspend') },
    'False/PodTerminating',
    'False/SandboxSuspended',
  ],
  [
    'Suspended',
    { intent: 'Suspend', position: 'Suspended', state: stateOf({ suspendedBy: 'Stop' }) },
    'True/PodTerminated',
    'False/SandboxSuspended',
  ],
  [
    'Resuming',
    { position: 'Suspended', operation: operation('Resume') },
    'False/NotSuspended',
    'False/DependenciesNotReady',
  ],
  ['Operational', {}, 'False/NotSuspended', 'True/DependenciesReady'],
  [
    'Operational, workload ended',
    { position: 'Ended' },
    'False/NotSuspended',
    'False/DependenciesNotReady',
  ],
]

describe("KEP-119's condition table, row by row", () => {
  test.each(TABLE)('%s', (_, parts, suspended, ready) => {
    expect(conditionOf('Suspended', facts(parts))).toBe(suspended)
    expect(conditionOf('Ready', facts(parts))).toBe(ready)
  })

  test('Ready turns False as soon as the intent changes, before an operation begins', () => {
    expect(conditionOf('Ready', facts({ intent: 'Suspend' }))).toBe('False/SandboxSuspended')
    expect(conditionOf('Suspended', facts({ intent: 'Suspend' }))).toBe('False/PodTerminating')
  })

  test('Suspended turns False as soon as a resume is requested', () => {
    expect(conditionOf('Suspended', facts({ position: 'Suspended' }))).toBe('False/NotSuspended')
  })

  test('Suspended is always present', () => {
    const positions = ['New', 'Running', 'Ended', 'Finished', 'Frozen', 'Suspended'] as const
    const intents = ['Run', 'Suspend', 'Delete'] as const
    for (const position of positions) {
      for (const intent of intents) {
        expect(conditionOf('Suspended', facts({ position, intent }))).not.toBe('absent')
      }
    }
  })
})

describe('Suspended', () => {
  const hibernating = (parts: Partial<SandboxOperation>) =>
    facts({ intent: 'Suspend', usesSnapshots: true, operation: operation('Suspend', parts) })

  test('is True/Frozen for a workload that is frozen', () => {
    const frozen = facts({ intent: 'Suspend', position: 'Frozen' })
    expect(conditionOf('Suspended', frozen)).toBe('True/Frozen')
  })

  test('is False/Checkpointing while a snapshot is taken', () => {
    expect(conditionOf('Suspended', hibernating({ step: 'Prepared' }))).toBe('False/Checkpointing')
  })

  test('is False/CheckpointFailed after a failure, which leaves the workload running', () => {
    const failed = hibernating({ step: 'Prepared', reason: 'StoreFull', message: 'full' })
    expect(conditionOf('Suspended', failed)).toBe('False/CheckpointFailed')
    expect(conditionOf('SnapshotReady', failed)).toBe('False/StoreFull')
  })

  test('is False/NotSuspended if the backend cannot be resolved', () => {
    const unresolved = hibernating({ reason: 'ClassNotFound', message: 'no class' })
    expect(conditionOf('Suspended', unresolved)).toBe('False/NotSuspended')
    expect(conditionOf('BackendResolved', unresolved)).toBe('False/ClassNotFound')
  })

  test('stays True while a resume cannot proceed', () => {
    const corrupt = facts({
      position: 'Suspended',
      state: stateOf({ suspendedBy: 'Hibernate' }),
      operation: operation('Resume', { reason: 'SnapshotCorrupt', message: 'digest' }),
    })
    expect(conditionOf('Suspended', corrupt)).toBe('True/PodTerminated')
    expect(conditionOf('Restored', corrupt)).toBe('False/SnapshotCorrupt')
    expect(conditionOf('SnapshotReady', corrupt)).toBe('False/SnapshotCorrupt')
  })
})

describe('after a failed attempt to suspend', () => {
  const StoreFull = { attempt: 3, reason: 'StoreFull', message: 'the store is full' }
  const suspending = (parts: Partial<SandboxOperation>) =>
    facts({ intent: 'Suspend', usesSnapshots: true, operation: operation('Suspend', parts) })

  test('the running workload is Ready, also during the next attempt', () => {
    expect(conditionOf('Ready', suspending(StoreFull))).toBe('True/DependenciesReady')
    expect(conditionOf('Ready', suspending({ attempt: 3 }))).toBe('True/DependenciesReady')
    expect(conditionOf('Ready', suspending({}))).toBe('False/SandboxSuspended')
  })

  test('BackendResolved states the failed attempts', () => {
    const found = sandboxConditions(suspending(StoreFull)).find(
      ({ type }) => type === 'BackendResolved',
    )
    expect(found).toMatchObject({ status: 'True', reason: 'Resolved' })
    expect(found?.message).toBe(
      'The backend of snapshots is resolved; 2 attempts to take the snapshot failed, the last one with StoreFull: the store is full',
    )
  })
})

describe('Ready', () => {
  test('is False if the lease of the runtime has ended', () => {
    const lost = facts({ lostRuntime: 'The runtime "m1" has not renewed its lease' })
    expect(conditionOf('Ready', lost)).toBe('False/RuntimeUnreachable')
  })

  test('is False/NoRuntime without a runtime that can start the workload', () => {
    const waiting = operation('Start', { reason: 'NoRuntime', message: 'none' })
    const given = facts({ position: 'New', state: null, operation: waiting })
    expect(conditionOf('Ready', given)).toBe('False/NoRuntime')
  })

  test('is False/CrashLoopBackOff if a workload ends again and again', () => {
    const state = stateOf({ details: { restarts: 3, exitCode: 1 } })
    expect(conditionOf('Ready', facts({ position: 'Ended', state }))).toBe('False/CrashLoopBackOff')
  })

  test('is False/ContainersNotReady, with the reason, while a probe fails', () => {
    const given = facts({ unready: 'the readiness probe fails: HTTP status 503' })
    const [ready] = sandboxConditions(given)
    expect(ready).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'The workload runs, but the readiness probe fails: HTTP status 503',
    })
  })

  test('is False/SandboxExpired after the shutdown time', () => {
    expect(conditionOf('Ready', facts({ isExpired: true }))).toBe('False/SandboxExpired')
  })

  test('stays True during a live snapshot', () => {
    const live = facts({ operation: operation('Snapshot') })
    expect(conditionOf('Ready', live)).toBe('True/DependenciesReady')
  })
})

describe('Finished', () => {
  const ended = (exitCode: number) =>
    facts({ position: 'Finished', state: stateOf({ details: { exitCode } }) })

  test('is absent while the workload may run again', () => {
    expect(conditionOf('Finished', facts())).toBe('absent')
    expect(conditionOf('Finished', facts({ position: 'Ended' }))).toBe('absent')
  })

  test("has upstream's reasons", () => {
    expect(conditionOf('Finished', ended(0))).toBe('True/PodSucceeded')
    expect(conditionOf('Finished', ended(1))).toBe('True/PodFailed')
    expect(conditionOf('Ready', ended(0))).toBe('False/DependenciesNotReady')
  })
})

describe('LimitsEnforced', () => {
  const memory = { name: 'memory', scope: 'process', reason: 'no cgroup' }
  const cpu = { name: 'cpu', scope: 'sandbox', reason: '' }

  test('is absent without limits, and if the runtime does not say', () => {
    expect(conditionOf('LimitsEnforced', facts({ runtimeLimits: [cpu] }))).toBe('absent')
    expect(conditionOf('LimitsEnforced', facts({ limits: ['cpu'] }))).toBe('absent')
  })

  test('names the limits that do not hold for the sandbox as a whole', () => {
    const given = facts({ limits: ['cpu', 'memory', 'gpu'], runtimeLimits: [cpu, memory] })
    expect(conditionOf('LimitsEnforced', given)).toBe('False/NotEnforced')
    const found = sandboxConditions(given).find(({ type }) => type === 'LimitsEnforced')
    expect(found?.message).toBe(
      'memory is limited for each process only: no cgroup; ' +
        'gpu is not limited: the runtime does not know this limit',
    )
  })

  test('is True if all hold', () => {
    const given = facts({ limits: ['cpu'], runtimeLimits: [cpu, memory] })
    expect(conditionOf('LimitsEnforced', given)).toBe('True/Enforced')
  })
})

test('explains the end of a workload with the message of the runtime', () => {
  const details = { exitCode: 137, exitSignal: 9, exitMessage: 'its files use 3 MiB' }
  const found = sandboxConditions(facts({ position: 'Finished', state: stateOf({ details }) }))
  expect(found.find(({ type }) => type === 'Finished')?.message).toBe(
    'The workload was ended by signal 9: its files use 3 MiB',
  )
})
