import { expect, test } from 'vitest'
import { allSteps, KEYS_PER_STEP, type Steps } from '../../../lib/async/steps.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { fieldSetOf } from '../fields/field-set-builder.ts'
import { compareObjects } from './compare-objects.ts'
import { fieldsOf } from './fields-of.ts'
import { withNamedFields } from './named-fields.ts'
import { removeFields } from './remove-fields.ts'
import { mergeObjects } from './merge-objects.ts'
import { typeOfObjects } from './type-of-schema.ts'

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const
const TYPE = typeOfObjects({
  type: 'object',
  properties: { data: TEXTS, parts: { type: 'object', additionalProperties: TEXTS } },
})

/** Fields below the parents of all keys, so that a removal visits these. */
const OTHERS = fieldSetOf(
  ['f:data', 'f:other'],
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((part) => ['f:parts', `f:${part}`, 'f:other']),
)

/** The keys that each of the steps reads of the counted objects. */
function readsOf(pass: (counted: (object: JsonObject) => JsonObject) => Steps<unknown>): number[] {
  let reads = 0
  const counted = (object: JsonObject): JsonObject =>
    new Proxy(object, {
      get: (target, name) => {
        reads += 1
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

const texts = (count: number, value: string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]))

/** Few objects with many keys each. */
const parts = (value: string, counted: (object: JsonObject) => JsonObject): JsonObject => {
  const part = () => counted(texts(KEYS_PER_STEP / 2, value))
  return { parts: { a: part(), b: part(), c: part(), d: part(), e: part(), f: part() } }
}

const data = (value: string, counted: (object: JsonObject) => JsonObject): JsonObject => ({
  data: counted(texts(3 * KEYS_PER_STEP, value)),
})

test.each([
  ['one object', data],
  ['several objects', parts],
])('no step of a pass over %s reads more than the keys of a step', (_name, objectOf) => {
  const passes: Parameters<typeof readsOf>[0][] = [
    (counted) => fieldsOf(TYPE, objectOf('v', counted)),
    (counted) =>
      mergeObjects(
        TYPE,
        objectOf('v', (plain) => plain),
        objectOf('w', counted),
      ),
    (counted) =>
      compareObjects(
        TYPE,
        objectOf('v', counted),
        objectOf('w', (plain) => plain),
      ),
    (counted) => compareObjects(TYPE, {}, objectOf('w', counted)),
    (counted) => removeFields(TYPE, objectOf('v', counted), OTHERS),
  ]
  for (const pass of passes) {
    const counts = readsOf(pass)
    expect(Math.max(...counts)).toBeLessThanOrEqual(KEYS_PER_STEP)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3 * KEYS_PER_STEP)
  }
})

test('naming the fields of a set takes a step for as many fields', () => {
  const fields = allSteps(
    fieldsOf(
      TYPE,
      data('v', (plain) => plain),
    ),
  )
  const steps = readsOf(() => withNamedFields(TYPE, fields))
  expect(steps.length).toBeGreaterThanOrEqual(3)
})
