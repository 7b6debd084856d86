import { invalid, type Violation } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { parsePointer } from '../../lib/json/json-pointer.ts'

const MAX_OPERATIONS = 1000

/** Checks the rules of a JSON Patch that its schema cannot express. Pointers must lead into `fields`. */
export function jsonPatchRules(body: JsonValue, fields: readonly string[]): readonly Violation[] {
  if (!Array.isArray(body)) return []
  // Thrown before the operations are checked, because a huge list would take too long.
  if (body.length > MAX_OPERATIONS) throw tooMany(body.length)
  return body.flatMap((operation: JsonValue, index) =>
    isJsonObject(operation) ? operationRules(operation, `[${index}]`, fields) : [],
  )
}

function operationRules(
  operation: JsonObject,
  name: string,
  fields: readonly string[],
): Violation[] {
  const { op, path, from } = operation
  const moves = op === 'move' || op === 'copy'
  return [
    ...pointerRule(path, `${name}.path`, fields),
    // Other operations ignore `from`.
    ...(moves ? pointerRule(from, `${name}.from`, fields) : []),
    ...(op === 'move' ? moveIntoItselfRule(operation, name) : []),
  ]
}

/** The schema rejects values that are not strings or not pointers. */
function pointerRule(
  pointer: JsonValue | undefined,
  field: string,
  fields: readonly string[],
): Violation[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) return []
  const [first = ''] = parsePointer(pointer)
  if (fields.includes(first)) return []
  const pointers = fields.map((name) => `/${name}`)
  const allowed = `${pointers.slice(0, -1).join(', ')} or ${pointers.at(-1)}`
  const message = `${field} must lead into ${allowed}, found '${pointer}'`
  return [{ field, message, constraint: 'pointer', value: pointer }]
}

function moveIntoItselfRule({ path, from }: JsonObject, name: string): Violation[] {
  if (typeof path !== 'string' || typeof from !== 'string') return []
  if (from === '' || !path.startsWith(`${from}/`)) return []
  const field = `${name}.path`
  const message = `${field} must not be inside ${name}.from: a value cannot be moved into itself`
  return [{ field, message, constraint: 'pointer', value: path }]
}

function tooMany(count: number): Error {
  const message = `body must have at most ${MAX_OPERATIONS} operations, found ${count}`
  return invalid([{ field: '', message, constraint: 'maxItems' }])
}
