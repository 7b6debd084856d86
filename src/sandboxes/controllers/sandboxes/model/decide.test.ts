import { describe, expect, test } from 'vitest'
import type { SandboxState } from '../../../storage/sandbox-state.ts'
import { decide, isExpired, positionOf } from './decide.ts'

const IDLE = { operation: null, wantsSnapshot: false }

describe('without an unfinished operation', () => {
  test.each([
    ['Run', 'New', 'BeginStart'],
    ['Run', 'Running', 'Nothing'],
    ['Run', 'Frozen', 'BeginResume'],
    ['Run', 'Ended', 'BeginStart'],
    ['Run', 'Finished', 'Nothing'],
    ['Run', 'Suspended', 'BeginResume'],
    ['Suspend', 'Running', 'BeginSuspend'],
    ['Suspend', 'Frozen', 'Nothing'],
    ['Suspend', 'Suspended', 'Nothing'],
    ['Delete', 'Running', 'BeginDelete'],
  ] as const)('%s of a sandbox that is %s: %s', (intent, position, action) => {
    expect(decide({ ...IDLE, intent, position })).toBe(action)
  })

  test('a requested snapshot is taken of a workload that runs', () => {
    const wants = { ...IDLE, wantsSnapshot: true, intent: 'Run' } as const
    expect(decide({ ...wants, position: 'Running' })).toBe('BeginSnapshot')
    expect(decide({ ...wants, position: 'Finished' })).toBe('Nothing')
  })
})

describe('with an unfinished operation', () => {
  test.each([
    ['Run', 'Suspend', 'Recorded', 'Cancel'],
    ['Run', 'Suspend', 'Committed', 'Continue'],
    ['Suspend', 'Resume', 'Restored', 'Cancel'],
    ['Suspend', 'Resume', 'Started', 'Continue'],
    ['Delete', 'Suspend', 'Recorded', 'Cancel'],
    ['Delete', 'Suspend', 'Published', 'Continue'],
    ['Delete', 'Delete', 'Begun', 'Continue'],
  ] as const)('%s during %s after the step %s: %s', (intent, kind, step, action) => {
    const operation = { kind, step }
    expect(decide({ intent, position: 'Running', operation, wantsSnapshot: true })).toBe(action)
  })
})

describe('the position of a workload that has ended', () => {
  const exited = (details: SandboxState['details']): SandboxState => ({
    plane: 'p',
    namespace: 'n',
    name: 's',
    uid: 'u',
    phase: 'Exited',
    runtime: 'r',
    instanceId: 'i',
    suspendedBy: null,
    snapshot: null,
    workloadDigest: null,
    isolationClass: null,
    boot: 'CLEAN',
    details,
    fence: 1n,
    version: 1,
    lastActivityTime: null,
    createdTime: new Date(0),
  })

  test.each([
    ['Always', 0, 'Ended'],
    ['OnFailure', 0, 'Finished'],
    ['OnFailure', 1, 'Ended'],
    ['Never', 1, 'Finished'],
  ] as const)('restartPolicy %s, exit code %d: %s', (policy, exitCode, position) => {
    expect(positionOf(exited({ exitCode }), policy)).toBe(position)
  })

  test('a workload that was lost with its machine starts again', () => {
    expect(positionOf(exited({ lost: true }), 'Never')).toBe('Ended')
  })
})

test('a sandbox expires at its shutdown time', () => {
  const shutdownTime = new Date(1000)
  expect(isExpired({ shutdownTime }, new Date(999))).toBe(false)
  expect(isExpired({ shutdownTime }, new Date(1000))).toBe(true)
  expect(isExpired({ shutdownTime: null }, new Date(1000))).toBe(false)
})
