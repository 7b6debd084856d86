import { describe, expect, test } from 'vitest'
import { KubeError } from '../errors/kube-error.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { Schema } from '../model/schema.ts'
import { allSteps, endsStep } from '../../lib/async/steps.ts'
import { applyObject } from './apply-object.ts'
import { keepTimesIfUnchanged } from './keep-times.ts'
import type { FieldWrite } from './managers/field-write.ts'
import { trackUpdate } from './track-update.ts'

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: { type: 'string' } },
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        ports: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
              name: { type: 'string' },
            },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
        },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        command: { type: 'array', items: { type: 'string' } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
}

const version = (name: string) => ({
  name,
  served: true,
  schema: SCHEMA,
  printerColumns: [],
  selectableFields: [],
  hasStatus: true,
  scale: null,
})

const TYPE = { group: '', kind: 'Thing', versions: [version('v1'), version('v2')] }

const write = (manager: string, seconds = 1, options: Partial<FieldWrite> = {}): FieldWrite => ({
  manager,
  type: TYPE,
  version: 'v1',
  subresource: '',
  now: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)),
  ...options,
})

const thing = (fields: object, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', ...metadata },
  ...fields,
})

const apply = (live: ApiObject | null, applied: ApiObject, manager: string, isForced = false) =>
  allSteps(applyObject({ live, applied }, write(manager), isForced))

const tracked = (...update: Parameters<typeof trackUpdate>) => allSteps(trackUpdate(...update))

/** Ends the current step, so that few keys do not end the next one. */
function startStep(): void {
  while (!endsStep());
}

const managersOf = (object: ApiObject) =>
  (object.metadata.managedFields ?? []).map(({ manager, operation, fieldsV1, subresource }) => [
    `${manager} ${operation}${subresource === undefined ? '' : ` ${subresource}`}`,
    fieldsV1,
  ])

function failureOf(run: () => unknown): KubeError {
  try {
    run()
  } catch (error) {
    if (error instanceof KubeError) return error
    throw error
  }
  throw new Error('expected a failure')
}

describe('R21: apply', () => {
  test('R21: creates an object whose fields the manager owns', () => {
    const object = apply(null, thing({ data: { a: '1' }, spec: { tags: ['x'] } }), 'one')
    expect(object.metadata.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} }, 'f:spec': { 'f:tags': { 'v:"x"': {} } } },
      },
    ])
  })

  test('R6: returns the live object if it is applied again', () => {
    const live = apply(null, thing({ data: { a: '1' } }, { labels: { l: 'x' } }), 'one')
    const again = allSteps(
      applyObject(
        { live, applied: thing({ data: { a: '1' } }, { labels: { l: 'x' } }) },
        write('one', 9),
        false,
      ),
    )
    expect(again).toEqual(live)
  })

  test('R21: checks, merges, prunes and releases in separate steps', () => {
    startStep()
    const live = apply(null, thing({ data: { a: '1', b: '1' } }), 'one')
    const stepsOf = (applied: ApiObject, manager: string) => [
      ...applyObject({ live, applied }, write(manager, 5), true),
    ]
    const creation = { live: null, applied: thing({ data: { a: '1' } }) }
    expect([...applyObject(creation, write('one'), false)]).toHaveLength(10)
    expect(stepsOf(thing({ data: { a: '2', b: '2' } }), 'one')).toHaveLength(12)
    expect(stepsOf(thing({ data: { a: '2' } }), 'one')).toHaveLength(29)
    expect(stepsOf(thing({ data: { a: '2' } }), 'two')).toHaveLength(16)
  })

  test('R21: fails with 409 that names the manager and the field', () => {
    const live = tracked(null, thing({ data: { key: '1' } }), write('kubectl-client-side-apply'))
    const failure = failureOf(() => apply(live, thing({ data: { key: '2' } }), 'one'))
    expect(failure.code).toBe(409)
    expect(failure.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.key',
    )
    expect(failure.details).toEqual({
      causes: [
        {
          reason: 'FieldManagerConflict',
          message: 'conflict with "kubectl-client-side-apply" using v1',
          field: '.data.key',
        },
      ],
    })
  })

  test('R21: lists several conflicts by manager', () => {
    const one = apply(null, thing({ data: { a: '1', b: '1' } }), 'one')
    const two = apply(one, thing({ spec: { replicas: 1 } }), 'two')
    const failure = failureOf(() =>
      apply(two, thing({ data: { a: '2', b: '2' }, spec: { replicas: 2 } }), 'three'),
    )
    expect(failure.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "one":\n- .data.a\n- .data.b\nconflicts with "two":\n- .spec.replicas',
    )
  })

  test('R21: takes over fields if it is forced', () => {
    const live = apply(null, thing({ data: { a: '1', b: '1' } }), 'one')
    const forced = apply(live, thing({ data: { a: '2' } }), 'two', true)
    expect(forced['data']).toEqual({ a: '2', b: '1' })
    expect(managersOf(forced)).toEqual([
      ['one Apply', { 'f:data': { 'f:b': {} } }],
      ['two Apply', { 'f:data': { 'f:a': {} } }],
    ])
  })

  test('R21: shares fields of the same value', () => {
    const live = apply(null, thing({ data: { a: '1' } }), 'one')
    const shared = apply(live, thing({ data: { a: '1' } }), 'two')
    expect(managersOf(shared)).toEqual([
      ['two Apply', { 'f:data': { 'f:a': {} } }],
      ['one Apply', { 'f:data': { 'f:a': {} } }],
    ])
    const left = apply(shared, thing({ data: { b: '1' } }), 'one')
    expect(left['data']).toEqual({ a: '1', b: '1' })
  })

  test('R21: removes fields that the manager no longer applies', () => {
    const live = apply(null, thing({ data: { a: '1', b: '1' }, spec: { tags: ['x', 'y'] } }), 'one')
    const pruned = apply(live, thing({ data: { a: '1' }, spec: { tags: ['y'] } }), 'one')
    expect(pruned['data']).toEqual({ a: '1' })
    expect(pruned['spec']).toEqual({ tags: ['y'] })
    const empty = apply(pruned, thing({}), 'one')
    expect(empty).toEqual(thing({}))
  })

  test('R21: merges lists by their keys with defaults', () => {
    const live = apply(null, thing({ spec: { ports: [{ port: 80, name: 'a' }] } }), 'one')
    const both = apply(
      live,
      thing({ spec: { ports: [{ port: 80, protocol: 'TCP' }, { port: 81 }] } }),
      'two',
    )
    expect(both['spec']).toEqual({
      ports: [{ port: 80, name: 'a', protocol: 'TCP' }, { port: 81 }],
    })
    const [, two] = managersOf(both)
    expect(two?.[1]).toEqual({
      'f:spec': {
        'f:ports': {
          'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
          'k:{"port":81,"protocol":"TCP"}': { '.': {}, 'f:port': {} },
        },
      },
    })
  })

  test('R21: replaces atomic lists', () => {
    const live = apply(null, thing({ spec: { command: ['a', 'b'] } }), 'one')
    const failure = failureOf(() => apply(live, thing({ spec: { command: ['c'] } }), 'two'))
    expect(failure.message).toContain('.spec.command')
  })

  test('R21: separates the fields of objects that preserve unknown fields', () => {
    const live = apply(null, thing({ spec: { free: { a: { x: 1 } } } }), 'one')
    const both = apply(live, thing({ spec: { free: { a: { y: [1] } } } }), 'two')
    expect(both['spec']).toEqual({ free: { a: { x: 1, y: [1] } } })
  })

  test('R21: attributes the fields of untracked objects to before-first-apply', () => {
    const object = apply(thing({ data: { a: '1' } }), thing({ data: { b: '1' } }), 'one')
    expect(managersOf(object)).toEqual([
      ['one Apply', { 'f:data': { 'f:b': {} } }],
      ['before-first-apply Update', { 'f:data': { '.': {}, 'f:a': {} } }],
    ])
  })

  test('R21: lets kubectl take over from client-side apply', () => {
    const text = JSON.stringify(thing({ data: { a: '1' } }))
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': text }
    const live = tracked(
      null,
      thing({ data: { a: '1' } }, { annotations }),
      write('kubectl-client-side-apply'),
    )
    const applied = apply(live, thing({ data: { a: '2' } }), 'kubectl')
    expect(applied['data']).toEqual({ a: '2' })
    expect(applied.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBe(
      '{"apiVersion":"v1","data":{"a":"2"},"kind":"Thing","metadata":{"name":"a"}}\n',
    )
  })

  test.each<[string, ApiObject, string]>([
    ['has another kind', { ...thing({}), kind: 'Other' }, 'invalid object type: v1, Kind=Other'],
    ['has managedFields', thing({}, { managedFields: [] }), 'metadata.managedFields must be nil'],
    [
      'has an undeclared field',
      thing({ spec: { other: 1 } }),
      'failed to create typed patch object (/a; v1, Kind=Thing): .spec.other: field not declared in schema',
    ],
    [
      'has duplicate items',
      thing({ spec: { tags: ['x', 'x'] } }),
      'failed to create typed patch object (/a; v1, Kind=Thing): .spec.tags: duplicate entries for key [="x"]',
    ],
    [
      'has a value of another type',
      thing({ data: { a: 1 } }),
      'failed to create typed patch object (/a; v1, Kind=Thing): .data.a: expected string, got numeric',
    ],
  ])('R21: is 400 if the object %s', (_what, applied, message) => {
    const failure = failureOf(() => apply(null, applied, 'one'))
    expect([failure.code, failure.message]).toEqual([400, message])
  })
})

describe('R21: an update', () => {
  test('R21: owns the fields that it changes and takes them from others', () => {
    const live = apply(null, thing({ data: { a: '1', b: '1' } }), 'one')
    const updated = tracked(live, { ...live, data: { a: '2', b: '1' } }, write('two', 5))
    expect(managersOf(updated)).toEqual([
      ['one Apply', { 'f:data': { 'f:b': {} } }],
      ['two Update', { 'f:data': { 'f:a': {} } }],
    ])
  })

  test('R6: compares objects, edits managers, then adds one in separate steps', () => {
    startStep()
    const live = tracked(null, thing({ data: { a: '1', b: '1' } }), write('one'))
    const changed = { ...live, data: { a: '2', b: '2' } }
    expect([...trackUpdate(live, changed, write('two', 5))]).toHaveLength(4)
    expect([...trackUpdate(null, changed, write('two', 5))]).toHaveLength(10)
  })

  test('R6: keeps managedFields if nothing changes', () => {
    const live = tracked(null, thing({ data: { a: '1' } }), write('one'))
    const { managedFields, ...metadata } = live.metadata
    expect(tracked(live, { ...live, metadata }, write('two', 9))).toEqual(live)
    expect(managedFields).toHaveLength(1)
  })

  test('R21: never owns the status, except through the subresource', () => {
    const created = tracked(null, thing({ status: { phase: 'a' } }), write('one'))
    expect(created.metadata.managedFields).toBe(undefined)
    const live = tracked(null, thing({ data: { a: '1' } }), write('one'))
    const changed = { ...live, data: { a: '2' }, status: { phase: 'b' } }
    const status = tracked(live, changed, write('two', 5, { subresource: 'status' }))
    expect(managersOf(status)).toEqual([
      ['one Update', { 'f:data': { '.': {}, 'f:a': {} } }],
      ['two Update status', { 'f:status': { '.': {}, 'f:phase': {} } }],
    ])
  })

  test('R21: ignores metadata that the server maintains', () => {
    const object = thing({}, { uid: 'u', resourceVersion: '1', generation: 1, namespace: 'n' })
    expect(tracked(null, object, write('one')).metadata.managedFields).toBe(undefined)
  })

  test('R21: resets managedFields with an empty list', () => {
    const live = tracked(null, thing({ data: { a: '1' } }), write('one'))
    const reset = thing({ data: { a: '1' } }, { managedFields: [] })
    expect(tracked(live, reset, write('two')).metadata.managedFields).toBe(undefined)
    const emptied: ApiObject = JSON.parse(JSON.stringify(reset).replace('[]', '[{}]'))
    expect(tracked(live, emptied, write('two')).metadata.managedFields).toBe(undefined)
  })

  test.each([
    '[{"manager":"x","operation":"Set","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{}}]',
    '[{"manager":"x","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV2"}]',
    '[{"manager":"x","operation":"Update","apiVersion":"","fieldsType":"FieldsV1"}]',
    '[{"operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f":{}}}]',
    '[{"operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"k:[":{}}}]',
    '[{"operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":1}}]',
    '[{"operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","time":"today"}]',
    '[1]',
    '{}',
  ])('R21: ignores invalid managedFields: %s', (managedFields) => {
    const live = tracked(null, thing({ data: { a: '1' } }), write('one'))
    const object = thing({ data: { a: '1' } }, { managedFields: JSON.parse(managedFields) })
    expect(tracked(live, object, write('two'))).toEqual(live)
  })

  test('R21: accepts managedFields that a client edits', () => {
    const live = tracked(null, thing({ data: { a: '1' } }), write('one'))
    const entries = (live.metadata.managedFields ?? []).map((entry) => ({
      ...entry,
      manager: 'kubectl',
      operation: 'Apply',
    }))
    const edited = tracked(
      live,
      thing({ data: { a: '1' } }, { managedFields: entries }),
      write('two'),
    )
    expect(managersOf(edited)).toEqual([['kubectl Apply', { 'f:data': { '.': {}, 'f:a': {} } }]])
  })

  test('R21: keeps at most ten updaters and merges the oldest', () => {
    let live = tracked(null, thing({ data: { k0: '0' } }), write('m0', 0))
    for (let at = 1; at < 15; at += 1) {
      const data = Object.fromEntries(Array.from({ length: at + 1 }, (_, key) => [`k${key}`, '0']))
      live = tracked(live, { ...live, data }, write(`m${at}`, at))
    }
    const names = (live.metadata.managedFields ?? []).map(({ manager }) => manager)
    expect(names).toHaveLength(10)
    expect(names[0]).toBe('ancient-changes')
    expect(names.at(-1)).toBe('m14')
  })

  test('R21: drops managers of versions that the resource does not have', () => {
    const live = tracked(null, thing({ data: { a: '1' } }), write('one'))
    const [entry] = live.metadata.managedFields ?? []
    const old = JSON.parse(JSON.stringify(entry).replace('"v1"', '"v0"'))
    const metadata = { ...live.metadata, managedFields: [old] }
    const updated = tracked(
      { ...live, metadata },
      { ...live, metadata, data: { a: '2' } },
      write('two'),
    )
    expect(managersOf(updated)).toEqual([['two Update', { 'f:data': { 'f:a': {} } }]])
  })

  test('R21: compares the fields of managers in another version of the resource', () => {
    const live = tracked(null, thing({ data: { a: '1' } }), write('one'))
    const object = { ...live, apiVersion: 'v2', data: { a: '2' } }
    const updated = tracked(live, object, write('two', 2, { version: 'v2' }))
    expect(managersOf(updated)).toEqual([
      ['one Update', { 'f:data': {} }],
      ['two Update', { 'f:data': { 'f:a': {} } }],
    ])
  })
})

test('R6: keeps the times of managers if only they differ', () => {
  const live = tracked(null, thing({ data: { a: '1' } }), write('one', 1))
  const later = tracked(null, thing({ data: { a: '1' } }), write('one', 2))
  expect(allSteps(keepTimesIfUnchanged(live, later))).toEqual(live)
  const other = { ...later, data: { a: '2' } }
  expect(allSteps(keepTimesIfUnchanged(live, other))).toBe(other)
})
