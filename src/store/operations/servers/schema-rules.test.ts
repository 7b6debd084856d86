import { expect, it } from 'vitest'
import { schemaRules } from './schema-rules.ts'

it('ignores annotations at every level', () => {
  const schema = {
    type: 'object',
    description: 'A cluster',
    properties: { region: { type: 'string', title: 'Region', example: 'eu' } },
    items: [{ $comment: 'first', type: 'null' }],
    allOf: [{ description: 'x', required: ['region'] }],
  }
  expect(schemaRules(schema)).toEqual({
    type: 'object',
    properties: { region: { type: 'string' } },
    items: [{ type: 'null' }],
    allOf: [{ required: ['region'] }],
  })
})

it('keeps properties that have the name of an annotation', () => {
  const schema = { properties: { description: { type: 'string' }, title: { const: 1 } } }
  expect(schemaRules(schema)).toEqual(schema)
})

it('keeps data as it is', () => {
  const schema = { enum: [{ title: 'a' }], default: { description: 'b' }, const: { examples: [1] } }
  expect(schemaRules(schema)).toEqual(schema)
})
