import { describe, expect, it } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import { at, replay, reports, SPEC_CHANGE, type Step } from '../fixtures.ts'
import { initialConditions } from './initial-conditions.ts'

const BOTH_TRUE = [reports('a', 'True'), reports('b', 'True')]

function lastKnownAfter(steps: readonly Step[], required: readonly string[] = ['a', 'b']) {
  const condition = must(replay(required, steps).conditions[3], 'the fourth condition')
  expect(condition.type).toBe('LastKnownReconciled')
  const { last_updated_time: _updated, ...rest } = condition
  return rest
}

describe('LastKnownReconciled is True', () => {
  it.each<{ when: string; steps: readonly Step[]; tracked: number; flipped: number }>([
    { when: 'where all are True at one generation', steps: BOTH_TRUE, tracked: 1, flipped: 2 },
    {
      when: 'at a newer one when all have followed',
      steps: [...BOTH_TRUE, SPEC_CHANGE, reports('a', 'True', 2), reports('b', 'True', 2)],
      tracked: 2,
      flipped: 2,
    },
    {
      when: 'while one is True at a newer one',
      steps: [...BOTH_TRUE, SPEC_CHANGE, reports('a', 'True', 2)],
      tracked: 1,
      flipped: 2,
    },
    {
      when: 'while one is False at a newer one',
      steps: [...BOTH_TRUE, SPEC_CHANGE, reports('a', 'False', 2)],
      tracked: 1,
      flipped: 2,
    },
    {
      when: 'while all are False at a newer one',
      steps: [...BOTH_TRUE, SPEC_CHANGE, reports('a', 'False', 2), reports('b', 'False', 2)],
      tracked: 1,
      flipped: 2,
    },
    {
      when: 'while one has run ahead of the resource',
      steps: [...BOTH_TRUE, reports('a', 'False', 2), reports('b', 'False')],
      tracked: 1,
      flipped: 2,
    },
    {
      when: 'again where the one that failed recovers',
      steps: [...BOTH_TRUE, reports('a', 'False'), reports('a', 'True')],
      tracked: 1,
      flipped: 4,
    },
    {
      when: 'at an older generation, where all are True there first',
      steps: [SPEC_CHANGE, ...BOTH_TRUE],
      tracked: 1,
      flipped: 3,
    },
  ])('$when', ({ steps, tracked, flipped }) => {
    expect(lastKnownAfter(steps)).toEqual({
      type: 'LastKnownReconciled',
      status: 'True',
      reason: 'AllAdaptersReconciled',
      message: `All adapters are reconciled at generation ${tracked}`,
      observed_generation: tracked,
      created_time: at(0).toISOString(),
      last_transition_time: at(flipped).toISOString(),
    })
  })
})

describe('LastKnownReconciled is False', () => {
  it.each<{ when: string; steps: readonly Step[]; message: string; flipped: number }>([
    {
      when: 'where one fails at the tracked generation',
      steps: [...BOTH_TRUE, reports('b', 'False')],
      message: 'Not reconciled at generation 1: b reports False',
      flipped: 3,
    },
    {
      when: 'where one fails at the tracked generation, though another is at a newer one',
      steps: [...BOTH_TRUE, SPEC_CHANGE, reports('a', 'True', 2), reports('b', 'False')],
      message: 'Not reconciled at generation 2: b reports False (generation 1)',
      flipped: 5,
    },
    {
      when: 'where the others follow the failure to a newer generation',
      steps: [...BOTH_TRUE, reports('b', 'False'), SPEC_CHANGE, reports('a', 'True', 2)],
      message: 'Not reconciled at generation 2: b reports False (generation 1)',
      flipped: 3,
    },
    {
      when: 'where generations are mixed and none was ever common',
      steps: [SPEC_CHANGE, reports('a', 'True', 2), reports('b', 'True')],
      message: 'Not reconciled at generation 2: b is behind (generation 1)',
      flipped: 0,
    },
    {
      when: 'where all fail, without a flip',
      steps: [reports('a', 'False'), reports('b', 'False')],
      message: 'Not reconciled at generation 1: a reports False; b reports False',
      flipped: 0,
    },
  ])('$when', ({ steps, message, flipped }) => {
    expect(lastKnownAfter(steps)).toEqual({
      type: 'LastKnownReconciled',
      status: 'False',
      reason: 'AdaptersNotReconciled',
      message,
      observed_generation: Number(/at generation (\d)/.exec(message)?.[1]),
      created_time: at(0).toISOString(),
      last_transition_time: at(flipped).toISOString(),
    })
  })
})

describe('LastKnownReconciled is untouched', () => {
  const { last_updated_time: _updated, ...initial } = must(initialConditions(at(0))[3], 'initial')

  it.each([
    { when: 'one is missing', required: ['a', 'b'], steps: [reports('a', 'True')] },
    {
      when: 'one is ahead',
      required: ['a', 'b'],
      steps: [reports('a', 'True'), reports('b', 'True', 2)],
    },
    { when: 'nothing is required', required: [], steps: [reports('a', 'True')] },
  ])('where $when', ({ required, steps }) => {
    expect(lastKnownAfter(steps, required)).toEqual(initial)
  })
})
