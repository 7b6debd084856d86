import { expect, it } from 'vitest'
import type { Condition, Fleet } from '../../../typescript/src/generated/kplane.ts'
import { fleetState } from './fleet-state.ts'

function fleet(conditions: Readonly<Record<string, Partial<Condition>>>, spec = {}): Fleet {
  const common = { lastTransitionTime: '', message: '', reason: '', status: 'True' } as const
  return {
    apiVersion: 'kplane.dev/v1',
    kind: 'Fleet',
    metadata: { name: 'a', generation: 2 },
    spec: { replicas: 3, ...spec },
    status: {
      observedGeneration: 2,
      conditions: Object.entries(conditions).map(([type, rest]) => ({ ...common, ...rest, type })),
    },
  }
}

it('is ready only if the controller has observed the current spec', () => {
  expect(fleetState(fleet({ Ready: {} }))).toMatchObject({ word: 'Ready' })
  const changed = fleet({ Ready: {} })
  const later = { ...changed, metadata: { ...changed.metadata, generation: 3 } }
  expect(fleetState(later)).toMatchObject({ word: 'Progressing' })
})

it('is degraded before anything else, with the message of the condition', () => {
  const conditions = { Degraded: { message: 'a has the name of another cluster' }, Progressing: {} }
  expect(fleetState(fleet(conditions))).toMatchObject({
    word: 'Degraded',
    explanation: 'a has the name of another cluster',
  })
})

it('explains progress, and a pause', () => {
  const creating = { Progressing: { message: '2 of 3 members exist' } }
  expect(fleetState(fleet(creating))).toMatchObject({ explanation: '2 of 3 members exist' })
  expect(fleetState(fleet(creating, { paused: true }))).toMatchObject({ word: 'Paused' })
})
