import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../lib/json/json.ts'
import { schema30 } from './schema-30.ts'

describe('a schema converted to OpenAPI 3.0', () => {
  test.each<[string, JsonValue, JsonValue]>([
    ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'several types',
      { type: ['string', 'integer'] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ['only null', { type: 'null' }, { enum: [null], nullable: true }],
    ['a constant', { type: 'string', const: 'Cluster' }, { type: 'string', enum: ['Cluster'] }],
    ['an enum with null', { enum: ['', null] }, { enum: ['', null], nullable: true }],
    [
      'null as an alternative',
      { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
      { anyOf: [{ $ref: '#/components/schemas/A' }], nullable: true },
    ],
    [
      'fields next to a reference',
      { $ref: '#/components/schemas/A', description: 'text' },
      { description: 'text', allOf: [{ $ref: '#/components/schemas/A' }] },
    ],
    ['an exclusive limit', { exclusiveMinimum: 3 }, { minimum: 3, exclusiveMinimum: true }],
    ['examples', { examples: ['a', 'b'] }, { example: 'a' }],
    ['an array of anything', { type: 'array' }, { type: 'array', items: {} }],
    [
      'a schema that rejects everything',
      { properties: { a: false } },
      { properties: { a: { not: {} } } },
    ],
    ['a schema that accepts everything', { properties: { a: true } }, { properties: { a: {} } }],
    [
      'keywords without a counterpart in 3.0',
      { if: { required: ['a'] }, else: false, contains: {} },
      {},
    ],
    ['extensions', { 'x-message': 'text' }, { 'x-message': 'text' }],
    [
      'nested schemas',
      { type: 'object', additionalProperties: { type: ['string', 'null'] } },
      { type: 'object', additionalProperties: { type: 'string', nullable: true } },
    ],
  ])('expresses %s', (_, schema, expected) => {
    expect(schema30(schema)).toEqual(expected)
  })
})
