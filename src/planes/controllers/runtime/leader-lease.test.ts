import { expect, it } from 'vitest'
import { claimed, newLease, recordOf, released } from './leader-lease.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const first = { identity: 'first', durationMs: 15_000, now }

it('raises the number of transitions when the holder changes, and never for a renewal', () => {
  const lease = newLease({ namespace: 'kube-system', name: 'controllers' }, first)
  const renewed = claimed(lease, first)
  const taken = claimed(renewed, { ...first, identity: 'second' })
  const retaken = claimed(released(taken, now), first)
  const numbers = [lease, renewed, taken, retaken].map((each) => recordOf(each).transitions)
  expect(numbers).toEqual([0, 0, 1, 2])
})

it('writes the fields of the API', () => {
  const lease = newLease({ namespace: 'kube-system', name: 'controllers' }, first)
  expect(lease['spec']).toEqual({
    holderIdentity: 'first',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-02T03:04:05.678000Z',
    renewTime: '2026-01-02T03:04:05.678000Z',
    leaseTransitions: 0,
  })
})

it('reads a lease without a spec as one that is free', () => {
  const lease = { apiVersion: 'v1', kind: 'Lease', metadata: { resourceVersion: '7' } }
  expect(recordOf(lease)).toEqual({ holder: '', transitions: 0, durationMs: 0, version: '7' })
})
