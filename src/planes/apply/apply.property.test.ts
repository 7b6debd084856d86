import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allSteps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { Schema } from '../model/schema.ts'
import { applyObject } from './apply-object.ts'
import { difference, type FieldSet, NO_FIELDS, union } from './fields/field-set.ts'
import { parseFields, pathsOf, serializeFields } from './fields/fields-v1.ts'
import type { FieldWrite } from './managers/field-write.ts'
import { withoutServerFields } from './managers/tracked-fields.ts'
import { trackUpdate } from './track-update.ts'
import { fieldsOf } from './typed/fields-of.ts'
import { typeOfObjects } from './typed/type-of-schema.ts'

const TEXT: Schema = { type: 'string' }

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: TEXT },
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        fixed: { type: 'object', additionalProperties: TEXT, 'x-kubernetes-map-type': 'atomic' },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: TEXT, value: TEXT, kind: { type: 'string', default: 'a' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'kind'],
        },
        tags: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}

const VERSION = {
  name: 'v1',
  served: true,
  schema: SCHEMA,
  printerColumns: [],
  selectableFields: [],
  hasStatus: false,
  scale: null,
}

const write = (manager: string): FieldWrite => ({
  manager,
  type: { group: '', kind: 'Thing', versions: [VERSION] },
  version: 'v1',
  subresource: '',
  now: new Date(0),
})

const KEYS = ['a', 'b', '__proto__', 'constructor', 'x/y', '"', '.', '<é\u{1f600}']
const NAME = fc.constantFrom(...KEYS)
const TEXT_VALUE = fc.constantFrom('a', 'b', '')
const textMap = (keys: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(keys, TEXT_VALUE), { maxLength: 4 })
    .map((entries): JsonObject => Object.fromEntries(entries))

const { free: FREE } = fc.letrec<{ free: JsonValue }>((tie) => ({
  free: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue[]>(0, 'a', true, [], {}),
    fc.array(tie('free'), { maxLength: 2 }),
    fc
      .array(fc.tuple(NAME, tie('free')), { maxLength: 3 })
      .map((entries): JsonObject => Object.fromEntries(entries)),
  ),
}))

const ITEM = fc.record(
  { name: NAME, kind: fc.constantFrom('a', 'b'), value: TEXT_VALUE },
  { requiredKeys: ['name'] },
)

const SPEC = fc.record(
  {
    size: fc.integer({ min: 0, max: 2 }),
    fixed: textMap(NAME),
    items: fc.uniqueArray(ITEM, {
      maxLength: 4,
      selector: ({ name, kind }) => `${kind ?? 'a'} ${name}`,
    }),
    tags: fc.uniqueArray(NAME, { maxLength: 4 }),
    free: fc.dictionary(NAME, FREE, { maxKeys: 3 }),
  },
  { requiredKeys: [] },
)

const FIELDS = fc.record({ data: textMap(NAME), spec: SPEC }, { requiredKeys: [] })

/** Without empty objects and lists: whether they are leaves depends on the other object. */
const FULL_FIELDS = FIELDS.map((fields) => filled(JSON.parse(JSON.stringify(fields))) ?? {})

function filled(value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  const members = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    if (Array.isArray(member)) return member.length === 0 ? [] : [[name, member]]
    if (!isJsonObject(member)) return [[name, member]]
    const inner = filled(member)
    return inner === undefined ? [] : [[name, inner]]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

const thing = (fields: object): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'thing' },
  ...fields,
})

const apply = (live: ApiObject | null, fields: object, manager: string, isForced = false) =>
  allSteps(applyObject({ live, applied: thing(fields) }, write(manager), isForced))

const tracked = (...update: Parameters<typeof trackUpdate>) => allSteps(trackUpdate(...update))

function applyUnlessConflict(live: ApiObject, fields: object, manager: string): ApiObject | null {
  try {
    return apply(live, fields, manager)
  } catch (error) {
    if (error instanceof KubeError && error.code === 409) return null
    throw error
  }
}

const TYPE = typeOfObjects(SCHEMA)

/** The fields of an object that managers can own. */
const fieldsIn = (object: ApiObject): FieldSet =>
  withoutServerFields(allSteps(fieldsOf(TYPE, withoutManagers(object))))

function withoutManagers(object: ApiObject): ApiObject {
  const { managedFields: _managedFields, ...metadata } = object.metadata
  return { ...object, metadata }
}

const ownedFields = (object: ApiObject, isOwner: (manager?: string) => boolean): FieldSet =>
  (object.metadata.managedFields ?? [])
    .filter(({ manager }) => isOwner(manager))
    .reduce<FieldSet>((all, { fieldsV1 }) => union(all, parseFields(fieldsV1)), NO_FIELDS)

/** The paths without children in the set. */
const leaves = (set: FieldSet) => {
  const paths = pathsOf(set).map((path) => path.join('\n'))
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}\n`)))
}

describe('R21: apply', () => {
  test('R21: changes nothing if it is repeated', () => {
    fc.assert(
      fc.property(FIELDS, FIELDS, (before, fields) => {
        const live = apply(apply(null, before, 'other'), fields, 'one', true)
        expect(apply(live, fields, 'one')).toEqual(live)
      }),
    )
  })

  test('R21: always succeeds if it is forced, and has the applied fields', () => {
    fc.assert(
      fc.property(FULL_FIELDS, FULL_FIELDS, FULL_FIELDS, (first, second, third) => {
        const live = tracked(null, thing(first), write('one'))
        const forced = apply(apply(live, second, 'two', true), third, 'three', true)
        expect(difference(fieldsIn(thing(third)), fieldsIn(forced))).toEqual(NO_FIELDS)
      }),
    )
  })

  test('R21: leaves no field without a manager', () => {
    fc.assert(
      fc.property(FULL_FIELDS, FULL_FIELDS, FULL_FIELDS, (first, second, third) => {
        const live = tracked(null, thing(first), write('one'))
        const applied = apply(live, second, 'two', true)
        const { managedFields } = applied.metadata
        const update = {
          ...thing(third),
          metadata: { name: 'thing', ...(managedFields && { managedFields }) },
        }
        const updated = managedFields ? tracked(applied, update, write('three')) : applied
        const owned = new Set(leaves(ownedFields(updated, () => true)))
        const missing = leaves(fieldsIn(updated)).filter((path) => !owned.has(path))
        expect(missing).toEqual([])
      }),
    )
  })

  test('R21: has no conflict if managers apply different fields', () => {
    const other = textMap(fc.constantFrom('c', 'd'))
    fc.assert(
      fc.property(FIELDS, other, FIELDS, other, (first, mine, next, more) => {
        const withSpec = ({ spec }: { spec?: object }) => (spec === undefined ? {} : { spec })
        let live = apply(null, withSpec(first), 'one')
        live = apply(live, { data: mine }, 'two')
        live = apply(live, withSpec(next), 'one')
        live = apply(live, { data: more }, 'two')
        // An empty object that another manager does not apply has no owner.
        expect(live['data'] ?? {}).toEqual(more)
      }),
    )
  })

  test('R21: never removes fields of another manager', () => {
    fc.assert(
      fc.property(FULL_FIELDS, FULL_FIELDS, FULL_FIELDS, (first, second, third) => {
        const live = apply(apply(null, first, 'one'), second, 'two', true)
        const before = ownedFields(live, (manager) => manager === 'two')
        const after = applyUnlessConflict(live, third, 'one')
        if (after === null) return
        expect(difference(before, fieldsIn(after))).toEqual(NO_FIELDS)
      }),
    )
  })
})

test('R21: sets of fields keep their value in the format FieldsV1', () => {
  fc.assert(
    fc.property(FIELDS, (fields) => {
      const set = fieldsIn(thing(fields))
      const text = JSON.stringify(serializeFields(set))
      const parsed: JsonValue = JSON.parse(text)
      const found = isJsonObject(parsed) ? parseFields(parsed) : NO_FIELDS
      expect(found).toEqual(set)
      expect(JSON.stringify(serializeFields(found))).toBe(text)
    }),
  )
})
