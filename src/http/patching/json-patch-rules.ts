import { invalid, type Violation } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { parsePointer } from '../../lib/json/json-pointer.ts'

const MAX_OPERATIONS = 1000

/** What the schema of a JSON Patch cannot say; `members` are those of the document that it changes. */
export function jsonPatchRules(body: JsonValue, members: readonly string[]): readonly Violation[] {
  if (!Array.isArray(body)) return []
  // At once: a list of a hundred thousand wrong operations is not worth a look at each.
  if (body.length > MAX_OPERATIONS) throw tooMany(body.length)
  return body.flatMap((operation: JsonValue, index) =>
    isJsonObject(operation) ? operationRules(operation, `[${index}]`, members) : [],
  )
}

function operationRules(
  operation: JsonObject,
  place: string,
  members: readonly string[],
): Violation[] {
  const { op, path, from } = operation
  const moves = op === 'move' || op === 'copy'
  return [
    ...pointerRule(path, `${place}.path`, members),
    // Any other operation takes no notice of it.
    ...(moves ? pointerRule(from, `${place}.from`, members) : []),
    ...(op === 'move' ? ownMemberRule(operation, place) : []),
  ]
}

/** What is no string, or no pointer, is the schema's to refuse. */
function pointerRule(
  pointer: JsonValue | undefined,
  field: string,
  members: readonly string[],
): Violation[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) return []
  const [member = ''] = parsePointer(pointer)
  if (members.includes(member)) return []
  const places = members.map((name) => `/${name}`)
  const allowed = `${places.slice(0, -1).join(', ')} or ${places.at(-1)}`
  const message = `${field} must lead into ${allowed}, found '${pointer}'`
  return [{ field, message, constraint: 'pointer', value: pointer }]
}

function ownMemberRule({ path, from }: JsonObject, place: string): Violation[] {
  if (typeof path !== 'string' || typeof from !== 'string') return []
  if (from === '' || !path.startsWith(`${from}/`)) return []
  const field = `${place}.path`
  const message = `${field} must not be inside ${place}.from: nothing can be moved into itself`
  return [{ field, message, constraint: 'pointer', value: path }]
}

function tooMany(count: number): Error {
  const message = `body must have at most ${MAX_OPERATIONS} operations, found ${count}`
  return invalid([{ field: '', message, constraint: 'maxItems' }])
}
