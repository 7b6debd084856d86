import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Schema } from '../../model/schema.ts'
import { difference, type FieldSet, union } from '../fields/field-set.ts'
import { fieldSetOf } from '../fields/field-set-builder.ts'
import { parseFields, serializeFields } from '../fields/fields-v1.ts'
import { editFields } from './edit-fields.ts'
import { reconcileFields } from './reconcile-fields.ts'
import { typeOfObjects } from './type-of-schema.ts'

const TEXT: Schema = { type: 'string' }
const TYPE = typeOfObjects({
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: TEXT },
    spec: {
      type: 'object',
      properties: {
        whole: { type: 'object', additionalProperties: TEXT, 'x-kubernetes-map-type': 'atomic' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
})

const ELEMENT = fc.constantFrom(
  'f:a',
  'f:b',
  'f:data',
  'f:spec',
  'f:whole',
  'f:free',
  'f:__proto__',
  'f:.',
  'k:{"name":"a"}',
  'v:"a"',
  'v:1',
  'i:0',
)
const SET: fc.Arbitrary<FieldSet> = fc
  .array(fc.array(ELEMENT, { minLength: 1, maxLength: 3 }), { maxLength: 8 })
  .map((paths) => fieldSetOf(...paths))

it('has the result of parsing, changing and serializing the fields', () => {
  fc.assert(
    fc.property(SET, SET, SET, (set, removed, added) => {
      const owned = serializeFields(set)
      const edited = editFields(TYPE, owned, { removed, added })
      const expected = serializeFields(union(difference(set, removed), added))
      if (edited === null) expect(reconcileFields(TYPE, set)).not.toBe(set)
      else expect(JSON.stringify(edited)).toBe(JSON.stringify(expected))
      expect(owned).toEqual(serializeFields(set))
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['an element of an unknown kind', { 'f:data': { 'x:a': {} } }],
  ['a key that is not canonical', { 'f:list': { 'k:{ "name": "a" }': {} } }],
  ['a null for a field', { 'f:data': null }],
  ['fields below a value that has become atomic', { 'f:spec': { 'f:whole': { 'f:a': {} } } }],
])('leaves %s to the general path', (_what, owned) => {
  const added = fieldSetOf(['f:new'])
  expect(editFields(TYPE, owned, { removed: parseFields({}), added })).toBeNull()
})
