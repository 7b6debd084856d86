import { expect, test } from 'vitest'
import { allSteps, KEYS_PER_STEP, type Steps } from '../../../lib/async/steps.ts'
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import { fieldSetOf } from '../fields/field-set-builder.ts'
import { compareObjects } from './compare-objects.ts'
import { fieldsOf } from './fields-of.ts'
import { withNamedFields } from './named-fields.ts'
import { removeFields } from './remove-fields.ts'
import { mergeObjects } from './merge-objects.ts'
import { typeOfObjects } from './type-of-schema.ts'
import { typeProblems } from './type-problems.ts'

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const
const TYPE = typeOfObjects({
  type: 'object',
  properties: {
    data: TEXTS,
    parts: { type: 'object', additionalProperties: TEXTS },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, value: { type: 'string' } },
      },
    },
  },
})

/** Items with any members. */
const DEDUCED_ITEMS = typeOfObjects({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
})

/** Fields below the parents of all keys, so that a removal visits these. */
const OTHERS = fieldSetOf(
  ['f:data', 'f:other'],
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((part) => ['f:parts', `f:${part}`, 'f:other']),
)

/** The keys and items that each of the steps reads of the counted objects and lists. */
function readsOf(pass: (counted: Counted) => Steps<unknown>): number[] {
  let reads = 0
  const counted: Counted = (value) =>
    new Proxy(value, {
      get: (target, name) => {
        if (/\d$/.test(String(name))) reads += 1
        return Reflect.get(target, name)
      },
    })
  const steps = pass(counted)
  const counts: number[] = []
  for (let isDone = false; !isDone;) {
    reads = 0
    isDone = steps.next().done === true
    counts.push(reads)
  }
  return counts
}

type Counted = <Value extends JsonObject | readonly JsonValue[]>(value: Value) => Value

const texts = (count: number, value: string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]))

/** Few objects with many keys each. */
const parts = (value: string, counted: Counted): JsonObject => {
  const part = () => counted(texts(KEYS_PER_STEP / 2, value))
  return { parts: { a: part(), b: part(), c: part(), d: part(), e: part(), f: part() } }
}

const data = (value: string, counted: Counted): JsonObject => ({
  data: counted(texts(3 * KEYS_PER_STEP, value)),
})

const plain: Counted = (value) => value

test.each([
  ['one object', data],
  ['several objects', parts],
])('no step of a pass over %s reads more than the keys of a step', (_name, objectOf) => {
  const passes: Parameters<typeof readsOf>[0][] = [
    (counted) => fieldsOf(TYPE, objectOf('v', counted)),
    (counted) => mergeObjects(TYPE, objectOf('v', plain), objectOf('w', counted)),
    (counted) => compareObjects(TYPE, objectOf('v', counted), objectOf('w', plain)),
    (counted) => compareObjects(TYPE, {}, objectOf('w', counted)),
    (counted) => typeProblems(TYPE, objectOf('v', counted)),
    (counted) => removeFields(TYPE, objectOf('v', counted), OTHERS),
  ]
  for (const pass of passes) {
    const counts = readsOf(pass)
    expect(Math.max(...counts)).toBeLessThanOrEqual(KEYS_PER_STEP)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3 * KEYS_PER_STEP)
  }
})

test('naming the fields of a set takes a step for as many fields', () => {
  const fields = allSteps(fieldsOf(TYPE, data('v', plain)))
  const steps = readsOf(() => withNamedFields(TYPE, fields))
  expect(steps.length).toBeGreaterThanOrEqual(3)
})

const items = (value: string, counted: Counted): JsonObject => ({
  items: counted(
    Array.from({ length: 3 * KEYS_PER_STEP }, (_item, index) => ({ name: `item-${index}`, value })),
  ),
})

test('no step of a pass over a list map reads more items than the keys of a step', () => {
  const passes: Parameters<typeof readsOf>[0][] = [
    (counted) => fieldsOf(TYPE, items('v', counted)),
    (counted) => mergeObjects(TYPE, items('v', counted), items('w', plain)),
    (counted) => mergeObjects(TYPE, items('v', plain), items('w', counted)),
    (counted) => compareObjects(TYPE, items('v', counted), items('w', plain)),
    (counted) => compareObjects(TYPE, items('v', plain), items('w', counted)),
    (counted) => typeProblems(TYPE, items('v', counted)),
  ]
  for (const pass of passes) {
    const counts = readsOf(pass)
    expect(Math.max(...counts)).toBeLessThanOrEqual(KEYS_PER_STEP)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3 * KEYS_PER_STEP)
  }
})

test('each item of a list map is merged in steps', () => {
  const large = (value: string): JsonObject => ({ name: 'a', ...texts(2 * KEYS_PER_STEP, value) })
  const [live, applied] = [{ items: [large('v')] }, { items: [large('w')] }]
  const steps = mergeObjects(DEDUCED_ITEMS, live, applied)
  let count = 1
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count += 1
  expect(step.value).toEqual(applied)
  expect(count).toBeGreaterThanOrEqual(3)
})
