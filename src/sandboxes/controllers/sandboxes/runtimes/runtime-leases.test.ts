import { expect, test } from 'vitest'
import { manualTimers } from '../../../../../test/support/manual-timers.ts'
import { runtimeEntry } from './runtime-entry.ts'
import { RuntimeLeases } from './runtime-leases.ts'

function entry(renewTime: string) {
  return runtimeEntry({
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name: 'm1' },
    spec: { endpoint: 'unix:/s' },
    status: { renewTime, leaseDurationSeconds: 10 },
  })
}

function leases() {
  const timers = manualTimers(new Date('2026-01-01T00:00:00Z'))
  const expired: string[] = []
  return { timers, expired, leases: new RuntimeLeases(timers, (name) => expired.push(name)) }
}

test('a runtime is live until its lease expires, and again after a renewal', async () => {
  const { timers, expired, leases: all } = leases()
  expect(all.observe(entry('2026-01-01T00:00:00Z'))).toBe(true)
  await timers.advance(9000)
  expect(all.isLive('m1')).toBe(true)
  await timers.advance(1000)
  expect(all.isLive('m1')).toBe(false)
  expect(expired).toEqual(['m1'])
  expect(all.observe(entry('2026-01-01T00:00:10Z'))).toBe(true)
  expect(all.isLive('m1')).toBe(true)
})

test('a renewal extends the lease, whatever the clock of the runtime', async () => {
  const { timers, expired, leases: all } = leases()
  all.observe(entry('2026-01-01T00:00:00Z'))
  await timers.advance(5000)
  expect(all.observe(entry('2020-01-01T00:00:00Z'))).toBe(false)
  await timers.advance(9000)
  expect(all.isLive('m1')).toBe(true)
  expect(expired).toEqual([])
})

test('an expiry is reported after the lease has ended, also if the timer ends early', async () => {
  const timers = manualTimers()
  const early = {
    ...timers,
    schedule: (delayMs: number, callback: () => void) =>
      timers.schedule(Math.ceil(delayMs * 0.9), callback),
  }
  const live: boolean[] = []
  const all: RuntimeLeases = new RuntimeLeases(early, (name) => live.push(all.isLive(name)))
  all.observe(entry('2026-01-01T00:00:00Z'))
  await timers.advance(10_000)
  expect(live).toEqual([false])
})

test('a lease that expired before this process started is not live', () => {
  const { leases: all } = leases()
  expect(all.observe(entry('2025-12-31T23:59:00Z'))).toBe(false)
  expect(all.isLive('m1')).toBe(false)
})

test('a runtime without a renewal is not live', () => {
  const { leases: all } = leases()
  all.observe(entry(''))
  expect(all.isLive('m1')).toBe(false)
})
