import { expect, test, vi } from 'vitest'
import { countTurns } from '../../../../test/support/count-turns.ts'
import { stopPerformanceClock } from '../../../../test/support/stop-performance-clock.ts'
import { workFor } from '../../../lib/tracing/main-thread.ts'
import { requiredValue } from '../../errors/field-errors.ts'
import { itemErrors } from './expression-errors.ts'

/** Longer than a turn of the event loop may take. */
const LONG_MS = 11

stopPerformanceClock()

test('other events are handled between the checks of two items of a list', async () => {
  const turns: number[] = []
  using counter = countTurns()
  workFor({})
  const errors = await itemErrors(
    'spec.rules',
    [{ a: '1' }, {}, { a: '3' }, {}],
    (field, { a }) => {
      turns.push(counter.turn)
      vi.advanceTimersByTime(LONG_MS)
      return a === undefined ? [requiredValue(`${field}.a`)] : []
    },
  )
  expect(errors.map(({ field }) => field)).toEqual(['spec.rules[1].a', 'spec.rules[3].a'])
  expect(new Set(turns).size).toBe(4)
})
