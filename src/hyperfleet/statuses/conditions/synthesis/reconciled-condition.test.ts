import { describe, expect, it } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import { at, DELETION, finalizes, replay, reports, SPEC_CHANGE, type Step } from '../fixtures.ts'

const BOTH_TRUE = [reports('a', 'True'), reports('b', 'True')]

function reconciledAfter(steps: readonly Step[]) {
  const { conditions } = replay(['a', 'b'], steps)
  const { type, status, reason, message, observed_generation, last_transition_time } = must(
    conditions[2],
    'the third condition',
  )
  expect(type).toBe('Reconciled')
  return { status, reason, message, observed_generation, last_transition_time }
}

describe('Reconciled', () => {
  it.each([
    {
      when: 'is True where all are True at the generation of the resource',
      steps: BOTH_TRUE,
      message: 'All adapters are reconciled at current generation',
      observed_generation: 1,
      flipped: 2,
    },
    {
      when: 'takes no notice of Finalized on a live resource',
      steps: [finalizes('a', 'True'), reports('b', 'True')],
      message: 'All adapters are reconciled at current generation',
      observed_generation: 1,
      flipped: 2,
    },
    {
      when: 'is True while deleting where all have finalized as well',
      steps: [...BOTH_TRUE, DELETION, finalizes('a', 'True', 2), finalizes('b', 'True', 2)],
      message: 'All adapters are reconciled at current generation',
      observed_generation: 2,
      flipped: 5,
    },
  ])('$when', ({ steps, message, observed_generation, flipped }) => {
    expect(reconciledAfter(steps)).toEqual({
      status: 'True',
      reason: 'ReconciledAll',
      message,
      observed_generation,
      last_transition_time: at(flipped).toISOString(),
    })
  })

  it.each([
    {
      when: 'names who is missing',
      steps: [reports('a', 'True')],
      message: 'Not reconciled at generation 1: b is missing',
    },
    {
      when: 'turns False with the spec',
      steps: [...BOTH_TRUE, SPEC_CHANGE, reports('a', 'False', 2)],
      message: 'Not reconciled at generation 2: a reports False; b is behind (generation 1)',
    },
    {
      when: 'turns False with the deletion, naming who has not finalized',
      steps: [...BOTH_TRUE, DELETION],
      message:
        'Not reconciled at generation 2: a is behind (generation 1); b is behind (generation 1); ' +
        'a is not finalized; b is not finalized',
    },
    {
      when: 'asks for Finalized at the generation of the resource',
      steps: [finalizes('a', 'True'), reports('b', 'True'), DELETION, reports('a', 'True', 2)],
      message:
        'Not reconciled at generation 2: b is behind (generation 1); ' +
        'a is not finalized; b is not finalized',
    },
    {
      when: 'is False where all have finalized and one is not True',
      steps: [...BOTH_TRUE, DELETION, finalizes('a', 'False', 2), finalizes('b', 'True', 2)],
      message: 'Not reconciled at generation 2: a reports False',
    },
    {
      when: 'follows a report without Available that finalizes',
      steps: [...BOTH_TRUE, DELETION, finalizes('a', 'True', 2), finalizes('b', null, 2)],
      message: 'Not reconciled at generation 2: b is behind (generation 1)',
    },
    {
      when: 'follows one that takes it back',
      steps: [
        ...BOTH_TRUE,
        DELETION,
        finalizes('a', 'True', 2),
        finalizes('b', 'True', 2),
        reports('b', null, 2),
      ],
      message: 'Not reconciled at generation 2: b is not finalized',
    },
  ])('$when', ({ steps, message }) => {
    const generation = Number(/at generation (\d)/.exec(message)?.[1])
    expect(reconciledAfter(steps)).toMatchObject({
      status: 'False',
      reason: 'ReconciledMissingAdapters',
      message,
      observed_generation: generation,
    })
  })

  it('agrees with Ready on a live resource', () => {
    const steps = [...BOTH_TRUE, SPEC_CHANGE, reports('a', 'True', 2), reports('b', 'False', 2)]
    for (const count of steps.keys()) {
      const { conditions } = replay(['a', 'b'], steps.slice(0, count + 1))
      const [, ready, reconciled] = conditions
      expect(reconciled?.status).toBe(ready?.status)
      expect(reconciled?.observed_generation).toBe(ready?.observed_generation)
      expect(reconciled?.last_transition_time).toBe(ready?.last_transition_time)
    }
  })
})
