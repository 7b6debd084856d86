import { expect, test } from 'vitest'
import type { JsonObject } from '../../lib/json/json.ts'
import { formatPath } from '../../lib/json/field-path.ts'
import { specSchemaProblems } from './spec-schema-problems.ts'

const shown = (schema: JsonObject): readonly string[] =>
  specSchemaProblems(schema).map(({ path, text }) => `${formatPath(path)} ${text}`.trim())

test.each<[string, JsonObject]>([
  ['any object', { type: 'object' }],
  [
    'what the drafts have beside the rules',
    { type: 'object', title: 'A', properties: { a: { format: 'colour', 'x-order': 1 } } },
  ],
  ['true and false as schemas', { type: 'object', properties: { a: true, b: false } }],
])('takes %s', (_what, schema) => {
  expect(shown(schema)).toEqual([])
})

test.each<[string, JsonObject, readonly string[]]>([
  [
    'every breach of JSON Schema, each at its place',
    {
      type: 'object',
      properties: { a: { type: 'int', minLength: -1 }, 'b/c': 5 },
      allOf: [{ required: 'a' }],
    },
    [
      'properties.a.type must be one of array, boolean, integer, null, number, object, string or must be array',
      'properties.a.minLength must be >= 0',
      'properties.b/c must be object or boolean',
      'allOf[0].required must be array',
    ],
  ],
  ['a schema of something else', { type: 'array' }, ["must have type: object, found 'array'"]],
  ['a schema of anything', {}, ['must have type: object, found nothing']],
  ['a list of types', { type: ['object', 'null'] }, ['must have type: object, found a list']],
  [
    'a pattern that is none',
    { type: 'object', properties: { a: { pattern: '[' } } },
    ['cannot be used: Invalid regular expression: /[/u: Unterminated character class'],
  ],
  [
    'a reference to nothing',
    { type: 'object', properties: { a: { $ref: '#anchor' } } },
    ["cannot be used: can't resolve reference #anchor from id #"],
  ],
])('rejects %s', (_what, schema, problems) => {
  expect([...shown(schema)].sort()).toEqual([...problems].sort())
})
