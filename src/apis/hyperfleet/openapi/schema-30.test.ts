import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../lib/json/json.ts'
import { schema30 } from './schema-30.ts'

describe('a schema in OpenAPI 3.0', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'several types',
      { type: ['string', 'integer'] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ['only null', { type: 'null' }, { enum: [null], nullable: true }],
    ['a constant', { type: 'string', const: 'Cluster' }, { type: 'string', enum: ['Cluster'] }],
    ['null among values', { enum: ['', null] }, { enum: ['', null], nullable: true }],
    [
      'null as an alternative',
      { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
      { anyOf: [{ $ref: '#/components/schemas/A' }], nullable: true },
    ],
    [
      'members beside a reference',
      { $ref: '#/components/schemas/A', description: 'text' },
      { description: 'text', allOf: [{ $ref: '#/components/schemas/A' }] },
    ],
    ['an exclusive limit', { exclusiveMinimum: 3 }, { minimum: 3, exclusiveMinimum: true }],
    ['examples', { examples: ['a', 'b'] }, { example: 'a' }],
    ['an array of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['nothing', { properties: { a: false } }, { properties: { a: { not: {} } } }],
    ['anything', { properties: { a: true } }, { properties: { a: {} } }],
    ['keywords that 3.0 lacks', { if: { required: ['a'] }, else: false, contains: {} }, {}],
    ['extensions', { 'x-message': 'text' }, { 'x-message': 'text' }],
    [
      'schemas inside',
      { type: 'object', additionalProperties: { type: ['string', 'null'] } },
      { type: 'object', additionalProperties: { type: 'string', nullable: true } },
    ],
  ])('expresses %s', (_, schema, expected) => {
    expect(schema30(schema)).toEqual(expected)
  })
})
