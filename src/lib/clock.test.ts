import { expect, it } from 'vitest'
import { createClock } from './clock.ts'

/** A clock whose sources return the next of these readings. */
function clockOf(readings: readonly (readonly [wall: number, timer: number])[]) {
  const rest = [...readings]
  let current: readonly [number, number] = [0, 0]
  return createClock({
    wall: () => {
      current = rest.shift() ?? current
      return current[0]
    },
    monotonic: () => current[1],
  })
}

/** The times of the readings as fractions of a second. */
function fractionsOf(readings: Parameters<typeof clockOf>[0]): readonly string[] {
  const clock = clockOf(readings)
  return readings.map(() => clock().toISOString().slice(17))
}

it('adds the microseconds of the timer to the milliseconds of the machine', () => {
  const readings = [
    [1_000, 50],
    [1_000, 50.25],
    [1_000, 50.5],
    [1_001, 51.125],
  ] as const
  expect(fractionsOf(readings)).toEqual(['01.000000Z', '01.000250Z', '01.000500Z', '01.001125Z'])
})

it('never leaves the millisecond of the machine, and never goes back within one', () => {
  const readings = [
    [1_000, 0],
    [1_000, 0.75],
    [1_000, 1.5],
    [1_000, 1.75],
    [1_001, 1.8],
  ] as const
  expect(fractionsOf(readings)).toEqual([
    '01.000000Z',
    '01.000750Z',
    '01.000999Z',
    '01.000999Z',
    '01.001049Z',
  ])
})

it('follows a machine whose clock is set', () => {
  const readings = [
    [5_000, 0],
    [1_000, 0.5],
    [1_000, 0.75],
    [9_000, 1],
  ] as const
  expect(fractionsOf(readings)).toEqual(['05.000000Z', '01.000999Z', '01.000999Z', '09.000000Z'])
})
