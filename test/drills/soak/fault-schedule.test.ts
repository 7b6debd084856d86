import { expect, test } from 'vitest'
import { FAULTS, scheduleFaults } from './fault-schedule.ts'

function take(seed: number, count: number) {
  const schedule = scheduleFaults(seed)
  return Array.from({ length: count }, () => schedule.next().value)
}

test('a seed reproduces the faults', () => {
  expect(take(7, 50)).toEqual(take(7, 50))
  expect(take(7, 50)).not.toEqual(take(8, 50))
})

test('every fault happens before one is repeated twice', () => {
  const names = take(3, FAULTS.length).flatMap(({ faults }) => faults.map(({ name }) => name))
  expect(new Set(names.slice(0, FAULTS.length))).toEqual(new Set(FAULTS))
})
