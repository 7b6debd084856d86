import { describe, expect, it } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import { AGGREGATED_TYPES, type ResourceCondition } from '../../../../store/model/condition.ts'
import {
  at,
  DELETION,
  type Held,
  KIND,
  observedAt,
  replay,
  reports,
  SPEC_CHANGE,
  type Step,
} from '../fixtures.ts'
import { initialConditions } from './initial-conditions.ts'
import { synthesize } from './synthesize.ts'

function condition(held: Held, type: string): ResourceCondition {
  return must(
    held.conditions.find((each) => each.type === type),
    type,
  )
}

describe('the order of conditions', () => {
  it('is both families, then the adapters by type in code point order', () => {
    const adapters = ['b', '\u{1f680}', 'a-z', '\uf8ff', 'Zed']
    const held = replay(
      ['b'],
      adapters.map((adapter) => reports(adapter, 'True')),
    )
    expect(held.conditions.map(({ type }) => type)).toEqual([
      'Available',
      'Ready',
      'Reconciled',
      'LastKnownReconciled',
      'AZSuccessful',
      'BSuccessful',
      'ZedSuccessful',
      '\uf8ffSuccessful',
      '\u{1f680}Successful',
    ])
  })
})

describe('Available', () => {
  const bothTrue: readonly Step[] = [reports('a', 'True'), reports('b', 'True')]
  it.each([
    {
      when: 'is True where all are True at one generation',
      steps: bothTrue,
      expected: {
        status: 'True',
        reason: 'ResourceAvailable',
        message: KIND.messages.available,
        observed_generation: 1,
        last_transition_time: at(2),
      },
    },
    {
      when: 'names who reports False',
      steps: [...bothTrue, reports('b', 'False')],
      expected: {
        status: 'False',
        reason: 'ResourceNotAvailable',
        message: 'Not available at generation 1: b reports False',
        observed_generation: 1,
        last_transition_time: at(3),
      },
    },
    {
      when: 'turns False at an older generation that all still share',
      steps: [...bothTrue, SPEC_CHANGE, reports('a', 'False')],
      expected: { status: 'False', observed_generation: 1, last_transition_time: at(4) },
    },
    {
      when: 'leaves creation without a flip where all are False',
      steps: [reports('a', 'False'), reports('b', 'False')],
      expected: {
        status: 'False',
        reason: 'ResourceNotAvailable',
        message: 'Not available at generation 1: a reports False; b reports False',
        observed_generation: 1,
        last_transition_time: at(0),
      },
    },
    {
      when: 'stays where generations are mixed',
      steps: [...bothTrue, SPEC_CHANGE, reports('b', 'False', 2)],
      expected: {
        status: 'True',
        reason: 'ResourceAvailable',
        message: KIND.messages.available,
        observed_generation: 1,
        last_transition_time: at(2),
      },
    },
    {
      when: 'stays where an adapter has run ahead',
      steps: [...bothTrue, reports('b', 'False', 2)],
      expected: { status: 'True', observed_generation: 1, last_transition_time: at(2) },
    },
    {
      when: 'stays where all have run ahead together',
      steps: [...bothTrue, reports('a', 'False', 2), reports('b', 'False', 2)],
      expected: { status: 'True', observed_generation: 1, last_transition_time: at(2) },
    },
    {
      when: 'follows those ahead when the resource reaches their generation',
      steps: [...bothTrue, reports('a', 'False', 2), reports('b', 'False', 2), SPEC_CHANGE],
      expected: { status: 'False', observed_generation: 2, last_transition_time: at(5) },
    },
    {
      when: 'keeps its transition time when it moves to a newer generation',
      steps: [...bothTrue, SPEC_CHANGE, reports('a', 'True', 2), reports('b', 'True', 2)],
      expected: { status: 'True', observed_generation: 2, last_transition_time: at(2) },
    },
    {
      when: 'counts the Available that a later report without one left in place',
      steps: [reports('a', 'True'), reports('a', null), reports('b', 'True')],
      expected: { status: 'True', observed_generation: 1, last_transition_time: at(3) },
    },
  ])('$when', ({ steps, expected }) => {
    const last_transition_time = expected.last_transition_time.toISOString()
    const available = condition(replay(['a', 'b'], steps), 'Available')
    expect(available).toMatchObject({ ...expected, last_transition_time })
  })
})

describe('Ready', () => {
  const bothTrue: readonly Step[] = [reports('a', 'True'), reports('b', 'True')]
  it.each([
    {
      when: 'is True where all are True at the generation of the resource',
      steps: bothTrue,
      expected: {
        status: 'True',
        reason: 'ResourceReady',
        message: KIND.messages.ready,
        observed_generation: 1,
        last_transition_time: at(2),
      },
    },
    {
      when: 'names who is missing, and keeps the transition time of creation',
      steps: [reports('a', 'True')],
      expected: {
        status: 'False',
        reason: 'ResourceNotReady',
        message: 'Not ready at generation 1: b is missing',
        observed_generation: 1,
        last_transition_time: at(0),
      },
    },
    {
      when: 'counts an Unknown as missing',
      steps: [reports('b', 'Unknown'), reports('a', 'True')],
      expected: {
        status: 'False',
        reason: 'ResourceNotReady',
        message: 'Not ready at generation 1: b is missing',
        observed_generation: 1,
        last_transition_time: at(0),
      },
    },
    {
      when: 'turns False with the spec, naming who is behind',
      steps: [...bothTrue, SPEC_CHANGE],
      expected: {
        status: 'False',
        reason: 'ResourceNotReady',
        message:
          'Not ready at generation 2: a is behind (generation 1); b is behind (generation 1)',
        observed_generation: 2,
        last_transition_time: at(3),
      },
    },
    {
      when: 'names who reports False',
      steps: [...bothTrue, SPEC_CHANGE, reports('a', 'False', 2)],
      expected: {
        status: 'False',
        reason: 'ResourceNotReady',
        message: 'Not ready at generation 2: a reports False; b is behind (generation 1)',
        observed_generation: 2,
        last_transition_time: at(3),
      },
    },
    {
      when: 'names who is ahead',
      steps: [...bothTrue, reports('b', 'True', 5)],
      expected: {
        status: 'False',
        reason: 'ResourceNotReady',
        message: 'Not ready at generation 1: b is ahead (generation 5)',
        observed_generation: 1,
        last_transition_time: at(3),
      },
    },
    {
      when: 'turns True with the spec where all were ahead at its new generation',
      steps: [reports('a', 'True', 2), reports('b', 'True', 2), SPEC_CHANGE],
      expected: {
        status: 'True',
        reason: 'ResourceReady',
        message: KIND.messages.ready,
        observed_generation: 2,
        last_transition_time: at(3),
      },
    },
  ])('$when', ({ steps, expected }) => {
    const last_transition_time = expected.last_transition_time.toISOString()
    const ready = condition(replay(['a', 'b'], steps), 'Ready')
    expect(ready).toMatchObject({ ...expected, last_transition_time })
  })
})

describe('a resource without a current required report', () => {
  const [available, ready, reconciled, lastKnown] = initialConditions(at(0))
  it.each([
    { of: 'a report of an adapter that is not required', steps: [reports('x', 'True')], at: 0 },
    { of: 'a report ahead of the resource', steps: [reports('a', 'True', 5)], at: 0 },
    {
      of: 'a spec change, but for the generation of Ready and Reconciled',
      steps: [SPEC_CHANGE],
      at: 2,
    },
    { of: 'a deletion, but for the same', steps: [DELETION], at: 2 },
    { of: 'a report after a spec change', steps: [SPEC_CHANGE, reports('x', 'True')], at: 2 },
  ])('keeps the state of creation in spite of $of', ({ steps, at: observed_generation }) => {
    const { conditions } = replay(['a'], steps)
    expect(conditions.slice(0, 4)).toEqual([
      available,
      { ...ready, observed_generation },
      { ...reconciled, observed_generation },
      lastKnown,
    ])
  })

  it('is not ready or reconciled, and keeps the rest, if its only adapter has run ahead', () => {
    const counted = replay(['a'], [reports('a', 'True'), reports('a', 'True')])
    const ahead = replay(
      ['a'],
      [reports('a', 'True'), reports('a', 'True'), reports('a', 'True', 5)],
    )
    expect(condition(ahead, 'Available')).toEqual(condition(counted, 'Available'))
    expect(condition(ahead, 'LastKnownReconciled')).toEqual(
      condition(counted, 'LastKnownReconciled'),
    )
    expect(condition(ahead, 'Ready')).toEqual({
      ...condition(counted, 'Ready'),
      status: 'False',
      reason: 'ResourceNotReady',
      message: 'Not ready at generation 1: a is ahead (generation 5)',
      last_transition_time: at(3).toISOString(),
    })
    expect(condition(ahead, 'Reconciled')).toEqual({
      ...condition(counted, 'Reconciled'),
      status: 'False',
      reason: 'ReconciledMissingAdapters',
      message: 'Not reconciled at generation 1: a is ahead (generation 5)',
      last_transition_time: at(3).toISOString(),
    })
  })
})

it('changes no aggregated condition if no adapter is required', () => {
  const steps = [reports('x', 'True'), SPEC_CHANGE, reports('x', 'False', 2), DELETION]
  const { conditions } = replay([], steps)
  expect(conditions.slice(0, 4)).toEqual(initialConditions(at(0)))
  expect(conditions.slice(4).map(({ type }) => type)).toEqual(['XSuccessful'])
})

describe("an adapter's condition", () => {
  it('contains its Available, the creation time of its row and the time of its last report', () => {
    const held = replay(
      ['a'],
      [reports('x', 'True'), reports('x', 'True'), reports('x', 'False', 3)],
    )
    expect(condition(held, 'XSuccessful')).toEqual({
      type: 'XSuccessful',
      status: 'False',
      observed_generation: 3,
      created_time: observedAt(1),
      last_updated_time: at(3).toISOString(),
      last_transition_time: observedAt(3),
    })
  })

  it('contains the reason and message of that Available', () => {
    const [report] = replay([], [reports('x', 'True')]).rows.values()
    const { available, ...row } = must(report, 'the row')
    const words = { reason: 'Done', message: 'All set' }
    const conditions = synthesize({
      kind: KIND,
      required: [],
      generation: 1,
      deleting: false,
      previous: initialConditions(at(0)),
      reports: [{ ...row, available: { ...must(available, 'Available'), ...words } }],
      cause: 'report',
      now: at(2),
    })
    expect(conditions.at(4)).toMatchObject(words)
  })
})

it('updates the aggregated conditions to the oldest current report at every recomputation', () => {
  const steps = [
    reports('a', 'True'),
    reports('b', 'True'),
    reports('a', 'True'),
    reports('b', 'True'),
  ]
  const updated = [1, 2, 3, 4].map((count) => {
    const held = replay(['a', 'b'], steps.slice(0, count))
    const times = AGGREGATED_TYPES.map((type) => condition(held, type))
    return new Set(times.map(({ last_updated_time }) => last_updated_time))
  })
  const expected = [observedAt(1), observedAt(1), observedAt(2), at(3).toISOString()]
  expect(updated).toEqual(expected.map((time) => new Set([time])))
})
