import type { Request } from 'express'
import { lazy } from '../../lib/lazy.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import type { SchemaError } from './describe-violation.ts'
import {
  type OperationAddress,
  type QueryParameter,
  queryParametersOf,
} from './operation-address.ts'
import { type SchemaCompiler, schemaErrorsOf } from './schema-compiler.ts'

/** Finds the violations in the query of a request and converts its numbers and booleans. */
export type QueryCheck = (request: Request) => readonly SchemaError[]

type Convert = (text: string) => unknown

const NONE: readonly SchemaError[] = []

/** Makes the check of an operation's query parameters. It ignores other parameters. */
export function createQueryCheck(compiler: SchemaCompiler, address: OperationAddress): QueryCheck {
  const parameters = queryParametersOf(compiler.document, address) ?? []
  const validator = lazy(() => compiler.compile(schemaOf(parameters)))
  const converters = new Map(parameters.flatMap(converterOf))
  const isRequired = parameters.some(({ required }) => required)
  return (request) => {
    if (!isRequired && !request.originalUrl.includes('?')) return NONE
    // The getter of Express parses the query at each use.
    const { query } = request
    for (const [name, convert] of converters) {
      const value = query[name]
      if (typeof value === 'string') Reflect.set(query, name, convert(value))
    }
    Object.defineProperty(request, 'query', { value: query, writable: true })
    const validate = validator()
    return validate(query) ? NONE : schemaErrorsOf(validate, 'query')
  }
}

function schemaOf(parameters: readonly QueryParameter[]): JsonObject {
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  }
}

function converterOf({ name, schema }: QueryParameter): [string, Convert][] {
  const type = isJsonObject(schema) ? schema['type'] : undefined
  switch (type) {
    case 'integer':
    case 'number':
      return [[name, numberOf]]
    case 'boolean':
      return [[name, booleanOf]]
    case 'array':
      return [[name, (text) => [text]]]
    default:
      return []
  }
}

/**
 * The number that JavaScript reads, as express-openapi-validator converts it; Infinity counts as a
 * large one. Other texts stay as they are, for their schema to reject.
 */
function numberOf(text: string): unknown {
  const number = Number(text)
  if (text === '' || Number.isNaN(number)) return text
  return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE
}

function booleanOf(text: string): unknown {
  return text === 'true' || text === 'false' ? text === 'true' : text
}
