import { expect, test } from 'vitest'
import type { ApiObject } from '../../../planes/model/api-object.ts'
import { planPool } from './plan-pool.ts'
import { TEMPLATE_HASH_LABEL } from './pool-resources.ts'

const START = Date.parse('2026-11-22T12:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000)

interface Given {
  readonly age?: number
  readonly ready?: boolean
  readonly reason?: string
  readonly hash?: string
  readonly isDeleted?: boolean
}

/** A member that was created `age` seconds after the start. */
function member(name: string, { age = 0, ready = true, ...more }: Given = {}): ApiObject {
  const { reason = 'Test', hash = 'h1', isDeleted = false } = more
  return {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: {
      name,
      labels: { [TEMPLATE_HASH_LABEL]: hash },
      creationTimestamp: at(age).toISOString(),
      ...(isDeleted && { deletionTimestamp: at(age).toISOString() }),
    },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason }] },
  }
}

function plan(members: readonly ApiObject[], { replicas = 2, recreates = false, now = 10 } = {}) {
  const pool = { replicas, recreates }
  const { remove, ...rest } = planPool({ pool, members, templateHash: 'h1', now: at(now) })
  return { ...rest, remove: remove.map(({ metadata }) => metadata.name) }
}

test('creates missing sandboxes; a deleted one counts until it is gone', () => {
  expect(plan([])).toMatchObject({ create: 2, remove: [], replicas: 0, readyReplicas: 0 })
  const deleted = member('a', { isDeleted: true })
  expect(plan([deleted])).toMatchObject({ create: 1, replicas: 0 })
})

test('creates nothing without a template', () => {
  const pool = { replicas: 2, recreates: true }
  const members = [member('a', { hash: 'old' })]
  const decided = planPool({ pool, members, templateHash: null, now: at(0) })
  expect(decided).toMatchObject({ create: 0, remove: [], replicas: 1 })
})

test('removes surplus sandboxes: unready ones first, then the newest', () => {
  const members = [
    member('old', { age: 0 }),
    member('new', { age: 5 }),
    member('unready', { age: 1, ready: false }),
  ]
  expect(plan(members)).toMatchObject({ remove: ['unready'], readyReplicas: 2 })
  expect(plan(members, { replicas: 1 }).remove).toEqual(['unready', 'new'])
})

test('replaces outdated sandboxes only if the pool recreates them', () => {
  const members = [member('a', { hash: 'old' }), member('b')]
  expect(plan(members).remove).toEqual([])
  expect(plan(members, { recreates: true }).remove).toEqual(['a'])
})

test('replaces a sandbox that is unready for five minutes, unless its replacement would wait too', () => {
  const members = [
    member('stuck', { ready: false }),
    member('waits', { ready: false, reason: 'NoRuntime' }),
    member('unisolated', { ready: false, reason: 'Unisolated' }),
  ]
  expect(plan(members, { now: 299, replicas: 3 })).toMatchObject({ remove: [], checkAt: at(300) })
  expect(plan(members, { now: 300, replicas: 3 })).toMatchObject({
    remove: ['stuck'],
    checkAt: null,
  })
})
