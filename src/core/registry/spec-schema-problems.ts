import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { errorMessage } from '../../lib/error-message.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { FieldPath } from '../../lib/json/field-path.ts'
import { quoteValue } from '../../lib/json/quote-value.ts'

/** What is wrong with a schema. */
export interface SchemaProblem {
  /** The place in the schema. */
  readonly path: FieldPath
  /** The rest of a sentence that begins with the place. */
  readonly text: string
}

/** As lenient as the validator of requests: keywords and formats that it does not know are ignored. */
const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false })

/** Why a schema, all references resolved, cannot be the schema of a spec; empty where it can. */
export function specSchemaProblems(schema: JsonObject): readonly SchemaProblem[] {
  const problems = schemaProblems(schema)
  if (problems.length > 0) return problems
  const { type } = schema
  if (type !== 'object') {
    return [{ path: [], text: `must have type: object, found ${quoteValue(type)}` }]
  }
  try {
    ajv.compile(schema)
    return []
  } catch (error) {
    return [{ path: [], text: `cannot be used: ${errorMessage(error)}` }]
  }
}

/** Where a value breaks the rules of JSON Schema 2020-12; references are not followed. */
export function schemaProblems(schema: JsonObject): readonly SchemaProblem[] {
  if (ajv.validateSchema(schema) === true) return []
  const texts = new Map<string, Set<string>>()
  for (const { instancePath, ...error } of ajv.errors ?? []) {
    // What its alternatives ask for is told by their own errors.
    if (error.keyword === 'anyOf') continue
    texts.set(instancePath, (texts.get(instancePath) ?? new Set()).add(wording(error)))
  }
  return [...texts].map(([pointer, found]) => ({
    path: pathOf(pointer, schema),
    text: [...found].join(' or '),
  }))
}

function wording({ keyword, params, message }: Omit<ErrorObject, 'instancePath'>): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${[params['allowedValues']].flat().join(', ')}`
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}`
    default:
      return message ?? keyword
  }
}

/** The steps of a JSON pointer. */
function pathOf(pointer: string, root: JsonObject): FieldPath {
  let value: unknown = root
  return pointer
    .split('/')
    .slice(1)
    .map((token) => {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(value) ? Number(key) : key
      value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
      return step
    })
}
