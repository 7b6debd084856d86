import { MAX_VIOLATIONS, type Violation } from '../../lib/errors.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { suggest } from '../../lib/text/suggest.ts'
import { parsePointer, valueAt } from '../../lib/json/json-pointer.ts'
import { resolvePath } from './schema-path.ts'

/** One error of the validator: `path` is `/body/...` or `/query/...`. */
export interface SchemaError {
  readonly path: string
  readonly message: string
  readonly errorCode?: string
}

/** The context for describing the errors of one request. */
interface Subject {
  readonly document: JsonObject
  readonly bodySchema: JsonObject | null
  readonly body: JsonValue
}

/** A response lists fewer violations. To describe tens of thousands of errors would take too long. */
const MAX_DESCRIBED = 10 * MAX_VIOLATIONS

/**
 * The validator's errors in the contract's words, one per field and rule. A required field that is
 * missing, null or empty is just that: its violations of other rules are omitted.
 */
export function describeViolations(
  errors: readonly SchemaError[],
  subject: Subject,
): readonly Violation[] {
  // The branches of a condition have their own errors.
  const own = errors.slice(0, MAX_DESCRIBED).filter((error) => constraintOf(error) !== 'if')
  const found = own.map((error) => describe(error, subject))
  const absent = new Set(found.filter(isAbsence).map((violation) => violation.field))
  const relevant = found.filter((violation) => isAbsence(violation) || !absent.has(violation.field))
  const distinct = new Map(relevant.map((violation) => [violation.message, violation]))
  return [...distinct.values()]
}

function isAbsence({ constraint }: Violation): boolean {
  return constraint === 'required'
}

function describe(error: SchemaError, subject: Subject): Violation {
  const [place, ...keys] = parsePointer(error.path)
  const constraint = constraintOf(error)
  if (place !== 'body' || subject.bodySchema === null) {
    const field = keys.join('.')
    return { field, message: `${field} ${error.message}`, constraint }
  }
  const { schema, required } = resolvePath(subject.document, subject.bodySchema, keys)
  const value = valueAt(subject.body, keys)
  const field = fieldOf(keys)
  const empty = value === undefined || value === null || value === ''
  if (constraint === 'required' || (required && empty && constraint !== 'additionalProperties')) {
    return { field, message: `${field} is required`, constraint: 'required' }
  }
  const rule =
    constraint === 'additionalProperties'
      ? unknownMember(keys, subject.document, subject.bodySchema)
      : (wording({ constraint, schema, value, message: error.message }) ?? error.message)
  return { field, message: `${field === '' ? 'body' : field} ${rule}`, constraint, value }
}

/** express-openapi-validator uses a separate keyword for the type of fields with a `format`. */
function constraintOf({ errorCode }: SchemaError): string {
  const keyword = errorCode?.split('.')[0] ?? 'invalid'
  return keyword === 'x-eov-type' ? 'type' : keyword
}

interface Broken {
  readonly constraint: string
  /** Empty if the field belongs to a branch of its parent's schema. */
  readonly schema: JsonObject
  readonly value: JsonValue | undefined
  /** The validator's own message. */
  readonly message: string
}

function wording({ constraint, schema, value, message }: Broken): string | null {
  const own = schema['x-message']
  const limit = schema[constraint] ?? /\d+/.exec(message)?.[0]
  switch (constraint) {
    case 'minLength':
      return `must be at least ${shown(limit)} characters`
    case 'maxLength':
      return `must be at most ${shown(limit)} characters`
    case 'minItems':
      return `must have at least ${itemCount(limit)}`
    case 'maxItems':
      return `must have at most ${itemCount(limit)}`
    case 'const':
      return schema['const'] === undefined ? null : `must be '${shown(schema['const'])}'`
    case 'not':
      return `'${shown(value)}' is reserved`
    case 'minProperties':
      return `must have at least one of ${Object.keys(Object(schema['properties'])).join(', ')}`
    case 'type':
      return typeWording(schema)
    case 'pattern':
    case 'enum':
      return typeof own === 'string' ? own : enumWording(schema)
    default:
      return null
  }
}

/** Suggests the member of the same object that is likely meant. */
function unknownMember(keys: readonly string[], document: JsonObject, body: JsonObject): string {
  const { properties } = resolvePath(document, body, keys.slice(0, -1)).schema
  const near = suggest(keys.at(-1) ?? '', Object.keys(Object(properties)))
  const hint = near === null ? '' : `: did you mean '${near}'?`
  return `is not a member that this request takes${hint}`
}

function typeWording(schema: JsonObject): string | null {
  const types = schema['type']
  return Array.isArray(types) ? `must be ${types.map(shown).join(' or ')}` : null
}

function itemCount(count: JsonValue | undefined): string {
  return Number(count) === 1 ? '1 item' : `${shown(count)} items`
}

function shown(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function enumWording(schema: JsonObject): string | null {
  const values = schema['enum']
  return Array.isArray(values) ? `must be one of ${values.map(shown).join(', ')}` : null
}

/** `conditions[0].type`: the form in which all violations name their field. */
function fieldOf(keys: readonly string[]): string {
  return keys.reduce((path, key) => {
    if (/^\d+$/.test(key)) return `${path}[${key}]`
    return path === '' ? key : `${path}.${key}`
  }, '')
}
