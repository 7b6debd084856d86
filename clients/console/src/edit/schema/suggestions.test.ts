import { expect, test } from 'vitest'
import { describeSchema } from './describe-schema.ts'
import { schemasAt } from './schemas-at.ts'
import { keySuggestions, valueSuggestions } from './suggestions.ts'

const DOCUMENT = {
  components: {
    schemas: {
      ChannelSpec: {
        type: 'object',
        required: ['stream'],
        properties: {
          window: { $ref: '#/components/schemas/Window' },
          stream: { type: 'string', enum: ['stable', 'fast'], default: 'stable' },
          ports: { type: 'array', items: { allOf: [{ $ref: '#/components/schemas/Port' }] } },
          quotas: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
          source: { oneOf: [{ properties: { git: {} } }, { properties: { s3: {} } }] },
          loop: { $ref: '#/components/schemas/Loop' },
        },
      },
      Window: { type: 'object', properties: { from: { type: 'string', format: 'time' } } },
      Port: { properties: { tls: { type: 'boolean', description: 'Use TLS.' } } },
      Loop: { $ref: '#/components/schemas/Loop' },
    },
  },
}
const SOURCE = {
  document: DOCUMENT,
  schema: { type: 'object', properties: { spec: { $ref: '#/components/schemas/ChannelSpec' } } },
} as const

function keysAt(path: readonly (string | number)[], existing: readonly string[] = []): string[] {
  return keySuggestions(SOURCE, path, existing).map(({ label }) => label)
}

test('suggests required keys first and omits existing ones', () => {
  expect(keysAt(['spec'], ['ports'])).toEqual(['stream', 'window', 'quotas', 'source', 'loop'])
})

test('follows references, lists, maps and alternatives', () => {
  expect(keysAt(['spec', 'window'])).toEqual(['from'])
  expect(keysAt(['spec', 'ports', 3])).toEqual(['tls'])
  expect(keysAt(['spec', 'source'])).toEqual(['git', 's3'])
  expect(schemasAt(SOURCE, ['spec', 'quotas', 'cpu'])).toEqual([{ type: 'integer', minimum: 1 }])
})

test('survives unknown paths and references that form a cycle', () => {
  expect(keysAt(['spec', 'nothing', 'here'])).toEqual([])
  expect(keysAt(['spec', 'loop'])).toEqual([])
})

test('suggests alternatives and booleans as values', () => {
  expect(valueSuggestions(SOURCE, ['spec', 'stream'])).toMatchObject([
    { label: 'stable', detail: 'default' },
    { label: 'fast', detail: '' },
  ])
  const booleans = valueSuggestions(SOURCE, ['spec', 'ports', 0, 'tls'])
  expect(booleans.map(({ insert }) => insert)).toEqual(['true', 'false'])
})

test('quotes values that YAML would read as another type', () => {
  const schema = { enum: ['4.10', 'on', 'plain'] }
  const inserts = valueSuggestions({ document: {}, schema }, []).map(({ insert }) => insert)
  expect(inserts).toEqual(['"4.10"', '"on"', 'plain'])
})

test('describes types and limits', () => {
  expect(describeSchema({ type: 'integer', minimum: 1, maximum: 9, default: 3 })).toBe(
    'integer, at least 1, at most 9, default 3',
  )
  expect(describeSchema({ type: 'string', format: 'uri' })).toBe('string (uri)')
  expect(describeSchema({ type: 'array', items: { type: 'string' } })).toBe('list of string')
  expect(describeSchema({ type: 'string', enum: ['a', 'b'] })).toBe('one of a, b')
})
