import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { FlotillaError } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { must } from '../../lib/assert.ts'
import { schemaCompiler } from '../../http/validation/schema-compiler.ts'
import { createDesiredValidators } from './desired-validator.ts'

const texts = { type: 'object', additionalProperties: { type: 'string' } }

function validatorOf(spec: JsonObject) {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const properties = {
    spec: ref('ThingSpec'),
    labels: ref('Labels'),
    annotations: ref('Annotations'),
  }
  const schemas = {
    ThingSpec: { type: 'object', ...spec },
    Labels: texts,
    Annotations: texts,
    ThingPatchRequest: { type: 'object', properties },
  }
  const compiler = schemaCompiler({ components: { schemas } })
  return must(createDesiredValidators(compiler, ['Thing']).get('Thing'), 'Thing')
}

function violationsOf(spec: JsonObject, members: JsonObject) {
  try {
    validatorOf(spec)(members)
  } catch (error) {
    if (error instanceof FlotillaError) return error.causes.map(({ message }) => message)
    throw error
  }
  return []
}

describe('a validator of what a patch leaves', () => {
  test('takes any members that keep their schemas, or none', () => {
    expect(validatorOf({})({})).toEqual({})
    const members = { spec: { a: [null] }, labels: { b: '' }, annotations: {} }
    expect(validatorOf({})(members)).toEqual(members)
  })

  test('lists the violations of all members together', () => {
    const spec = { required: ['image'], properties: { image: { type: 'string' } } }
    const members = { spec: {}, labels: { a: 1, b: 2 }, annotations: [] }
    expect(violationsOf(spec, members)).toEqual([
      'spec.image is required',
      'labels.a must be string',
      'labels.b must be string',
      'annotations must be object',
    ])
    expect(violationsOf(spec, { spec: null, labels: null })).toEqual([
      'spec is required',
      'labels must be object',
    ])
  })

  test('fills in defaults, of members inside too', () => {
    const inner = { type: 'object', properties: { b: { default: [1] } } }
    const validate = validatorOf({ properties: { a: inner, c: { default: 'x' } } })
    expect(validate({ spec: { a: {} } })).toEqual({ spec: { a: { b: [1] }, c: 'x' } })
  })

  test('neither accepts nor requires read-only fields', () => {
    const id = { type: 'string', readOnly: true }
    const inner = { type: 'object', required: ['id', 'name'], properties: { id } }
    const spec = { required: ['id'], properties: { id, inner, items: { items: inner } } }
    expect(violationsOf(spec, { spec: { inner: { name: 'x' }, items: [{ name: 'x' }] } })).toEqual(
      [],
    )
    expect(violationsOf(spec, { spec: { id: 'x', inner: { id: 'y' }, items: [{}] } })).toEqual([
      'spec.id is read-only',
      'spec.inner.name is required',
      'spec.inner.id is read-only',
      'spec.items[0].name is required',
    ])
  })

  test('knows formats in full and ignores unknown ones and unknown keywords', () => {
    const properties = {
      day: { type: 'string', format: 'date' },
      odd: { type: 'string', format: 'odd', oddly: 5 },
    }
    expect(violationsOf({ properties }, { spec: { day: '2026-02-30', odd: 'x' } })).toEqual([
      'spec.day must match format "date"',
    ])
  })

  test('follows references within the document', () => {
    const properties = { tags: { $ref: '#/components/schemas/Labels' } }
    expect(violationsOf({ properties }, { spec: { tags: { a: 5 } } })).toEqual([
      'spec.tags.a must be string',
    ])
  })

  test('accepts fields named __proto__ and constructor', () => {
    const spec = { additionalProperties: false, properties: { constructor: { type: 'string' } } }
    const sent = '{"spec":{"constructor":5,"__proto__":{"polluted":1}}}'
    expect(violationsOf(spec, JSON.parse(sent)).toSorted()).toEqual([
      'spec.__proto__ is not a member that this request takes',
      'spec.constructor must be string',
    ])
    const kept = validatorOf({})(JSON.parse(sent))
    expect(isDeepStrictEqual(kept, JSON.parse(sent))).toBe(true)
  })
})
