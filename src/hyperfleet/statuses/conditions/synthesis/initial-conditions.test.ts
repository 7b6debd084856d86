import { expect, it } from 'vitest'
import { at } from '../fixtures.ts'
import { initialConditions } from './initial-conditions.ts'

it('makes a new resource await its adapters in both families', () => {
  const time = at(0).toISOString()
  const awaiting = {
    status: 'False',
    reason: 'AwaitingAdapters',
    message: 'Waiting for adapters to report status',
    observed_generation: 0,
    created_time: time,
    last_updated_time: time,
    last_transition_time: time,
  }
  expect(initialConditions(at(0))).toEqual([
    { type: 'Available', ...awaiting },
    { type: 'Ready', ...awaiting },
    { type: 'Reconciled', ...awaiting },
    { type: 'LastKnownReconciled', ...awaiting },
  ])
})
