import { expect, test } from 'vitest'
import { type FormField, formFields } from './form-fields.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['region'],
      properties: {
        nodes: { type: 'integer', minimum: 1, description: 'The number of nodes.' },
        region: { type: 'string', enum: ['a', 'b'] },
        zones: { type: 'array', items: { type: 'string' } },
        network: { type: 'object', properties: { isPrivate: { type: 'boolean' } } },
        extra: { type: 'object', additionalProperties: true },
        source: { oneOf: [{ type: 'string' }, { type: 'object' }] },
      },
    },
  },
} as const

function shown({ label, isRequired, input }: FormField): unknown {
  const text = `${label}${isRequired ? '*' : ''} ${input.type}`
  return input.type === 'group' ? [text, ...input.fields.map(shown)] : text
}

test('derives an input from each property, required ones first', () => {
  expect(formFields({ document: {}, schema: SCHEMA }, ['spec']).map(shown)).toEqual([
    'region* choice',
    'nodes number',
    'zones list',
    ['network group', 'isPrivate boolean'],
    'extra yaml',
    'source yaml',
  ])
})

test('explains a field by its description and its limits', () => {
  const fields = formFields({ document: {}, schema: SCHEMA }, ['spec'])
  expect(fields[1]?.hint).toBe('The number of nodes. (integer, at least 1)')
})

test('has no fields for a free-form object', () => {
  const schema = { type: 'object', additionalProperties: true } as const
  expect(formFields({ document: {}, schema }, [])).toEqual([])
})
