import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { describeViolations } from './describe-violation.ts'
import { schemaCompiler, schemaErrorsOf } from './schema-compiler.ts'

function messagesOf(bodySchema: JsonObject, body: JsonValue): readonly string[] {
  const document = { openapi: '3.1.0', components: { schemas: {} } }
  const validate = schemaCompiler(document).compile(bodySchema)
  expect(validate(body)).toBe(false)
  const errors = schemaErrorsOf(validate, 'body')
  return describeViolations(errors, { document, bodySchema, body }).map(({ message }) => message)
}

describe('a violation of a field in a branch of the schema', () => {
  test.each([
    [{ type: 'string', minLength: 3 }, 'ab', 'field must be at least 3 characters'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'field must be at most 1 characters'],
    [{ type: 'array', minItems: 2 }, ['a'], 'field must have at least 2 items'],
    [{ type: 'array', maxItems: 1 }, ['a', 'b'], 'field must have at most 1 item'],
  ])('names the limit of %j', (field, value, message) => {
    const properties = { type: 'object', properties: { field } }
    expect(messagesOf(properties, { field: value })).toEqual([message])
    expect(messagesOf({ allOf: [properties] }, { field: value })).toEqual([message])
  })
})

test('describes as many violations of a large body as a response can list, not all', () => {
  const schema = { type: 'array', items: { type: 'string' } }
  const messages = messagesOf(schema, Array<number>(20_000).fill(1))
  expect(messages).toHaveLength(1000)
  expect(messages[0]).toBe('[0] must be string')
})
