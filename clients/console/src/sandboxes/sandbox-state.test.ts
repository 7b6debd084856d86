import { expect, it } from 'vitest'
import type { KubeCondition } from '../kube/kube-object.ts'
import type { Sandbox } from './sandbox.ts'
import { sandboxState } from './sandbox-state.ts'

type Mode = Sandbox['spec']['operatingMode']

function sandbox(
  mode: Mode,
  conditions: Readonly<Record<string, Partial<KubeCondition>>>,
): Sandbox {
  return {
    metadata: { name: 'a' },
    spec: { operatingMode: mode },
    status: {
      conditions: Object.entries(conditions).map(([type, rest]) => ({
        type,
        status: 'True',
        ...rest,
      })),
    },
  }
}

it('is running or suspended when the conditions say so', () => {
  expect(sandboxState(sandbox('Running', { Ready: {} }))).toMatchObject({ word: 'Running' })
  expect(sandboxState(sandbox('Suspended', { Suspended: {} }))).toMatchObject({ word: 'Suspended' })
})

it('is starting while an operation is unfinished, and explains its step', () => {
  const state = sandboxState(
    sandbox('Running', { Ready: { status: 'False' }, Progressing: { message: 'Restoring files' } }),
  )
  expect(state).toEqual({
    word: 'Starting',
    tone: 'warn',
    explanation: 'Restoring files',
    isMoving: true,
  })
})

it('fails with the reason that a user must correct', () => {
  const crash = {
    Ready: { status: 'False', reason: 'CrashLoopBackOff', message: 'exit 1' },
  } as const
  expect(sandboxState(sandbox('Running', crash))).toMatchObject({
    word: 'Failing',
    explanation: 'exit 1',
  })
  const unisolated = {
    Ready: { status: 'False', reason: 'Unisolated', message: 'set SANDBOX_UNISOLATED=true' },
  } as const
  expect(sandboxState(sandbox('Running', unisolated))).toMatchObject({
    word: 'Failing',
    explanation: 'set SANDBOX_UNISOLATED=true',
  })
  const backend = { BackendResolved: { status: 'False', reason: 'ProviderNotFound' } } as const
  expect(sandboxState(sandbox('Suspended', backend))).toMatchObject({
    word: 'Failing',
    explanation: 'ProviderNotFound',
  })
})

it('is starting before its first status, and finished after its end', () => {
  expect(sandboxState(sandbox(undefined, {}))).toMatchObject({ word: 'Starting' })
  expect(sandboxState(sandbox('Running', { Finished: { message: 'exit code 0' } }))).toMatchObject({
    word: 'Finished',
    explanation: 'exit code 0',
  })
})
