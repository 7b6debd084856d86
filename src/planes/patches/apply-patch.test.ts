import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { Schema } from '../model/schema.ts'
import { applyPatch } from './apply-patch.ts'
import { requireStrategicSupport } from './strategic-support.ts'

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: { type: 'string' } },
    secrets: {
      type: 'array',
      items: { type: 'object' },
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    },
    rules: { type: 'array', items: { type: 'object' } },
  },
}

function statusOf(run: () => unknown): number | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof KubeError) return error.code
    throw error
  }
  return undefined
}

const strategic = (current: JsonObject, body: JsonValue) =>
  applyPatch(current, { type: 'strategic', body }, SCHEMA)
const json = (current: JsonObject, body: JsonValue) =>
  applyPatch(current, { type: 'json', body }, SCHEMA)

describe('R20: a json patch', () => {
  test('R20: changes a copy of the object', () => {
    const current = { data: { a: '1' } }
    expect(json(current, [{ op: 'replace', path: '/data/a', value: '2' }])).toEqual({
      data: { a: '2' },
    })
    expect(current).toEqual({ data: { a: '1' } })
  })

  test('passes a test for null if the field is missing', () => {
    const patch = [
      { op: 'test', path: '/data/b', value: null },
      { op: 'add', path: '/data/b', value: '1' },
    ]
    expect(json({ data: {} }, patch)).toEqual({ data: { b: '1' } })
  })

  test.each<[string, JsonValue, number]>([
    ['is not a list', {}, 400],
    ['has an operation that is not an object', [1], 400],
    ['has an unknown operation', [{ op: 'set', path: '/a', value: 1 }], 422],
    ['has no path', [{ op: 'add', value: 1 }], 422],
    ['removes a missing field', [{ op: 'remove', path: '/b' }], 422],
    ['tests another value', [{ op: 'test', path: '/data', value: 1 }], 422],
    ['replaces the whole object', [{ op: 'replace', path: '', value: {} }], 422],
    ['removes the whole object', [{ op: 'remove', path: '' }], 422],
    ['moves the whole object', [{ op: 'move', from: '', path: '/a' }], 422],
    ['moves a value into itself', [{ op: 'move', from: '/data', path: '/data/a' }], 422],
    ['has a path without a slash', [{ op: 'add', path: 'a', value: 1 }], 422],
    [
      'has over 10 000 operations',
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data', value: {} })),
      413,
    ],
  ])('is rejected if it %s', (_what, patch, status) => {
    expect(statusOf(() => json({ data: {} }, patch))).toBe(status)
  })

  test('does not change prototypes', () => {
    json({ data: {} }, [{ op: 'add', path: '/data/__proto__', value: { polluted: true } }])
    json({ data: {} }, [{ op: 'add', path: '/data/constructor', value: { polluted: true } }])
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })
})

describe('R20: a merge patch', () => {
  test('R20: merges objects, replaces lists and removes fields that are null', () => {
    const current = { data: { a: '1', b: '2' }, rules: [1, 2] }
    const body = { data: { a: null, c: '3' }, rules: [3] }
    expect(applyPatch(current, { type: 'merge', body }, SCHEMA)).toEqual({
      data: { b: '2', c: '3' },
      rules: [3],
    })
  })

  test('is rejected if it is not an object', () => {
    expect(statusOf(() => applyPatch({}, { type: 'merge', body: [] }, SCHEMA))).toBe(400)
  })
})

describe('R20: a strategic merge patch', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'merges maps and removes fields that are null',
      { data: { a: '1', b: '2' } },
      { data: { a: null, c: '3' } },
      { data: { b: '2', c: '3' } },
    ],
    [
      'replaces lists without a strategy',
      { rules: [{ a: 1 }] },
      { rules: [{ b: 2 }] },
      { rules: [{ b: 2 }] },
    ],
    [
      'merges lists by key',
      { secrets: [{ name: 'a', x: 1 }, { name: 'b' }] },
      { secrets: [{ name: 'a', y: 2 }, { name: 'c' }] },
      { secrets: [{ name: 'a', x: 1, y: 2 }, { name: 'c' }, { name: 'b' }] },
    ],
    [
      'removes items by key',
      { secrets: [{ name: 'a' }, { name: 'b' }] },
      { secrets: [{ $patch: 'delete', name: 'a' }] },
      { secrets: [{ name: 'b' }] },
    ],
    [
      'replaces a list',
      { secrets: [{ name: 'a' }] },
      { secrets: [{ $patch: 'replace' }, { name: 'c' }] },
      { secrets: [{ name: 'c' }] },
    ],
    [
      'replaces an object',
      { data: { a: '1' } },
      { data: { $patch: 'replace', b: '2' } },
      { data: { b: '2' } },
    ],
    ['empties an object', { data: { a: '1' } }, { data: { $patch: 'delete' } }, { data: {} }],
    [
      'merges finalizers as a set',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { finalizers: ['b', 'c'] } },
      { metadata: { finalizers: ['a', 'b', 'c'] } },
    ],
    [
      'removes primitives',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      { metadata: { finalizers: ['b'] } },
    ],
    [
      'merges owners by uid',
      { metadata: { ownerReferences: [{ uid: '1', name: 'a' }] } },
      { metadata: { ownerReferences: [{ uid: '1', name: 'b' }, { uid: '2' }] } },
      { metadata: { ownerReferences: [{ uid: '1', name: 'b' }, { uid: '2' }] } },
    ],
    [
      'orders items and keeps other items in place',
      { secrets: [{ name: 'a' }, { name: 'x' }, { name: 'b' }] },
      {
        '$setElementOrder/secrets': [{ name: 'b' }, { name: 'c' }, { name: 'a' }],
        secrets: [{ name: 'c' }],
      },
      { secrets: [{ name: 'x' }, { name: 'b' }, { name: 'c' }, { name: 'a' }] },
    ],
    [
      'retains only the listed fields',
      { data: { a: '1', b: '2' } },
      { data: { $retainKeys: ['b', 'c'], c: '3' } },
      { data: { b: '2', c: '3' } },
    ],
    [
      'adds an object without its nulls and directives',
      {},
      { data: { a: null, b: '1', c: { $patch: 'delete' } } },
      { data: { b: '1' } },
    ],
  ])('R20: %s', (_what, current, patch, expected) => {
    expect(strategic(current, patch)).toEqual(expected)
  })

  test.each<[string, JsonObject, number]>([
    ['has an unknown directive', { data: { $patch: 'add' } }, 422],
    ['lacks a merge key', { secrets: [{ x: 1 }] }, 422],
    ['mixes items', { secrets: [{ name: 'a' }, 1] }, 422],
    ['uses an object as key', { secrets: [{ name: {} }] }, 422],
    ['has a list in a list', { secrets: [[]] }, 422],
    ['misses fields in retainKeys', { data: { $retainKeys: ['a'], b: '1' } }, 400],
    ['has a retainKeys that is not a list', { data: { $retainKeys: 'a' } }, 400],
    ['has an order that is not a list', { '$setElementOrder/secrets': 1, secrets: [] }, 400],
    ['removes items of no list', { '$deleteFromPrimitiveList/secrets': 'a' }, 400],
    [
      'has another order in its list',
      {
        '$setElementOrder/secrets': [{ name: 'a' }, { name: 'b' }],
        secrets: [{ name: 'b' }, { name: 'a' }],
      },
      422,
    ],
  ])('is rejected if it %s', (_what, patch, status) => {
    const current = { data: {}, secrets: [{ name: 'a' }, { name: 'b' }] }
    expect(statusOf(() => strategic(current, patch))).toBe(status)
  })

  test('does not change prototypes', () => {
    strategic({ data: {} }, JSON.parse('{"__proto__":{"polluted":true},"data":{"__proto__":{}}}'))
    strategic({ data: {} }, JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'))
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })

  test('R20: is 415 for custom resources', () => {
    expect(statusOf(() => requireStrategicSupport({ isCustom: true }))).toBe(415)
    expect(statusOf(() => requireStrategicSupport({ isCustom: false }))).toBe(undefined)
  })
})
