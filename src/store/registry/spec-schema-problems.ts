import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { errorMessage } from '../../lib/error-message.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { FieldPath } from '../../lib/json/field-path.ts'
import { quoteValue } from '../../lib/json/quote-value.ts'

/** A problem of a schema. */
export interface SchemaProblem {
  /** The path in the schema. */
  readonly path: FieldPath
  /** The rest of a sentence that begins with the path. */
  readonly text: string
}

/** Like the validation of requests, it ignores unknown keywords and formats. */
const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false })

/** The problems of a schema as the schema of a spec. All references must be resolved. */
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

/** The violations of JSON Schema 2020-12 in a schema. Does not follow references. */
export function schemaProblems(schema: JsonObject): readonly SchemaProblem[] {
  if (ajv.validateSchema(schema) === true) return []
  const texts = new Map<string, Set<string>>()
  for (const { instancePath, ...error } of ajv.errors ?? []) {
    // The alternatives have their own errors.
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
