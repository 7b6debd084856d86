import { expect, it } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import { LEASES } from './leases.ts'

async function fieldsOf(spec: JsonObject) {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: {}, spec }
  const errors = await LEASES.strategy?.validate?.(lease, null, {
    plane: 'root',
    user: { name: 'a', uid: '', groups: [], extra: {} },
    version: 'v1',
    subresource: '',
    now: new Date(0),
  })
  return errors?.map(({ field }) => field)
}

it('accepts the lease of a leader election', async () => {
  const spec = {
    holderIdentity: 'a',
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
    renewTime: '2026-01-01T00:00:00.000000Z',
  }
  expect(await fieldsOf(spec)).toEqual([])
})

it('rejects times without microseconds, which clients in Go cannot read', async () => {
  const spec = { renewTime: '2026-01-01T00:00:00Z', acquireTime: '2026-13-01T00:00:00.000000Z' }
  expect(await fieldsOf(spec)).toEqual(['spec.acquireTime', 'spec.renewTime'])
})

it('rejects durations and strategies that make no sense', async () => {
  expect(await fieldsOf({ leaseDurationSeconds: 0, leaseTransitions: -1 })).toEqual([
    'spec.leaseDurationSeconds',
    'spec.leaseTransitions',
  ])
  expect(await fieldsOf({ strategy: 'x' })).toEqual(['spec.strategy.strategy'])
  expect(await fieldsOf({ preferredHolder: 'b' })).toEqual(['spec.preferredHolder'])
})
