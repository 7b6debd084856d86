import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { allSteps } from '../../../lib/async/steps.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Schema } from '../../model/schema.ts'
import { applyObject } from '../apply-object.ts'
import { trackUpdate } from '../track-update.ts'
import { leastBytes } from './least-bytes.ts'
import { typeOfObjects } from './type-of-schema.ts'

const MANY = 10_000
const TEXTS: Schema = { type: 'object', additionalProperties: { type: 'string' } }
const SCHEMA: Schema = {
  type: 'object',
  properties: {
    data: TEXTS,
    spec: {
      type: 'object',
      properties: {
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        whole: { ...TEXTS, 'x-kubernetes-map-type': 'atomic' },
      },
    },
  },
}
const TYPE = typeOfObjects(SCHEMA)
const VERSION = {
  name: 'v1',
  served: true,
  schema: SCHEMA,
  printerColumns: [],
  selectableFields: [],
  hasStatus: false,
  scale: null,
}
const WRITE = {
  manager: 'm',
  type: { group: '', kind: 'Thing', versions: [VERSION] },
  version: 'v1',
  subresource: '',
  now: new Date(0),
}

const thing = (members: JsonObject): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  ...members,
})

const tracked = (...update: Parameters<typeof trackUpdate>) => allSteps(trackUpdate(...update))

/** The bytes of members as JSON with the fields that their creator owns. */
function bytesOf(members: JsonObject): number {
  const { managedFields } = tracked(null, thing(members), WRITE).metadata
  return Buffer.byteLength(JSON.stringify(members) + JSON.stringify(managedFields ?? []))
}

const keys = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'v']))

/** Counts the accesses to the members of an object. */
function counted(object: JsonObject): {
  readonly object: JsonObject
  readonly count: () => number
} {
  let count = 0
  const proxy = new Proxy(object, {
    get: (target, name) => {
      count += 1
      return Reflect.get(target, name)
    },
  })
  return { object: proxy, count: () => count }
}

it('is never more than the stored bytes', () => {
  const texts = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
  const members = fc.record(
    {
      data: texts,
      spec: fc.record(
        {
          free: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
          tags: fc.uniqueArray(fc.string()),
          whole: texts,
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(members, (value) => {
      const object = JSON.parse(JSON.stringify(value))
      expect(leastBytes(object, TYPE, Infinity)).toBeLessThanOrEqual(bytesOf(object))
    }),
  )
})

it('counts almost all bytes of an object with many keys', () => {
  const members = { data: keys(MANY) }
  const bytes = bytesOf(members)
  expect(leastBytes(members, TYPE, Infinity)).toBeGreaterThan(bytes - 300)
  expect(leastBytes(members, null, Infinity)).toBe(JSON.stringify(members).length)
})

it('visits each key at most once, and none beyond the limit', () => {
  const all = counted(keys(MANY))
  leastBytes({ data: all.object }, TYPE, Infinity)
  expect(all.count()).toBe(MANY)
  const limited = counted(keys(MANY))
  leastBytes({ data: limited.object }, TYPE, 2000)
  expect(limited.count()).toBeLessThan(100)
})

it.each([
  ['a creation', null],
  ['a change of one key', 'v'],
])('the tracking of %s visits a constant number of times per key', (_what, value) => {
  const visits = (count: number): number => {
    const data = keys(count)
    const live = value === null ? null : tracked(null, thing({ data }), WRITE)
    const next = counted({ ...data, 'key-7': 'w' })
    const object = thing({ data: next.object })
    const { managedFields } = live?.metadata ?? {}
    const metadata = { ...object.metadata, ...(managedFields && { managedFields }) }
    tracked(live, { ...object, metadata }, { ...WRITE, manager: 'other' })
    return next.count()
  }
  const few = visits(MANY)
  expect(few).toBeLessThanOrEqual(4 * MANY)
  expect(visits(2 * MANY) / few).toBeCloseTo(2, 1)
})

it.each([
  ['of all keys', keys(MANY)],
  ['of fewer keys', keys(MANY / 2)],
  ['of other keys', { ...keys(MANY / 2), ...keys(2 * MANY) }],
])('an apply %s sets at most 3 members per key in each step', (_what, data) => {
  const live = allSteps(
    applyObject({ live: null, applied: thing({ data: keys(MANY) }) }, WRITE, false),
  )
  const set = vi.spyOn(Map.prototype, 'set')
  try {
    const write = { ...WRITE, version: 'v1' }
    const steps = applyObject({ live, applied: thing({ data }) }, write, false)
    let most = 0
    for (let isDone = false; !isDone;) {
      set.mockClear()
      isDone = steps.next().done === true
      most = Math.max(most, set.mock.calls.length)
    }
    expect(most).toBeGreaterThan(MANY / 2)
    expect(most).toBeLessThanOrEqual(3 * MANY)
  } finally {
    set.mockRestore()
  }
})

it('the tracking of a change of one key builds no sets of the other keys', () => {
  const data = keys(MANY)
  const live = tracked(null, thing({ data }), WRITE)
  const set = vi.spyOn(Map.prototype, 'set')
  try {
    const next = { ...live, data: { ...data, 'key-7': 'w' } }
    const { managedFields = [] } = tracked(live, next, { ...WRITE, manager: 'other' }).metadata
    expect(set.mock.calls.length).toBeLessThan(100)
    expect(managedFields.map(({ manager }) => manager)).toEqual([WRITE.manager, 'other'])
  } finally {
    set.mockRestore()
  }
})
