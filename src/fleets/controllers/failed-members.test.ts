import { expect, test } from 'vitest'
import { FailedMembers } from './failed-members.ts'

const FLEET = { name: 'rl', uid: 'a', generation: 1 }

function failedAt(clock: { now: number }): FailedMembers {
  return new FailedMembers({ now: () => clock.now, random: () => 1 })
}

test('failed members are tried again after a delay that grows with each attempt', () => {
  const clock = { now: 0 }
  const failed = failedAt(clock)
  failed.add(FLEET, [['rl-0000', 'invalid']])
  expect([...failed.of(FLEET)]).toEqual([['rl-0000', 'invalid']])
  expect(failed.retryAfter(FLEET)).toBe(1000)
  clock.now = 1000
  expect(failed.of(FLEET).size).toBe(0)
  failed.add(FLEET, [['rl-0000', 'invalid']])
  expect(failed.retryAfter(FLEET)).toBe(2000)
})

test('failures of later batches do not postpone the next attempt', () => {
  const clock = { now: 0 }
  const failed = failedAt(clock)
  failed.add(FLEET, [['rl-0000', 'invalid']])
  clock.now = 600
  failed.add(FLEET, [['rl-0001', 'invalid']])
  expect(failed.of(FLEET).size).toBe(2)
  expect(failed.retryAfter(FLEET)).toBe(400)
})

test('another generation or another fleet of the same name starts without failures', () => {
  const failed = failedAt({ now: 0 })
  failed.add(FLEET, [['rl-0000', 'invalid']])
  expect(failed.of({ ...FLEET, generation: 2 }).size).toBe(0)
  failed.add(FLEET, [['rl-0000', 'invalid']])
  expect(failed.of({ ...FLEET, uid: 'b' }).size).toBe(0)
})
