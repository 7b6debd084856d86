import { expect, it } from 'vitest'
import { DELETION, finalizes, replay, reports, type Step } from './fixtures.ts'
import { isFinalized } from './is-finalized.ts'

const all = [finalizes('a', 'True', 2), finalizes('b', 'False', 2)]

it.each<{ when: string; required: readonly string[]; steps: readonly Step[]; expected: boolean }>([
  { when: 'all required adapters say so', required: ['a', 'b'], steps: all, expected: true },
  { when: 'one is missing', required: ['a', 'b', 'c'], steps: all, expected: false },
  {
    when: 'one says so of an older generation',
    required: ['a', 'b'],
    steps: [finalizes('a', 'True', 1), finalizes('b', 'True', 2)],
    expected: false,
  },
  {
    when: 'one has taken it back',
    required: ['a', 'b'],
    steps: [...all, reports('a', null, 2)],
    expected: false,
  },
  {
    when: 'one says so without Available',
    required: ['a', 'b'],
    steps: [finalizes('a', null, 2), finalizes('b', 'Unknown', 2)],
    expected: true,
  },
  {
    when: 'only one that is not required keeps silent',
    required: ['a', 'b'],
    steps: [...all, reports('x', 'True', 2)],
    expected: true,
  },
  { when: 'nothing is required', required: [], steps: [], expected: true },
])('is $expected where $when', ({ required, steps, expected }) => {
  const { generation, rows } = replay(required, [DELETION, ...steps])
  expect(isFinalized({ required, generation, reports: [...rows.values()] })).toBe(expected)
})
