import { FlotillaError } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { scanJson } from './scan-json.ts'

/** The JSON object that the text is; `malformed` that says where it is none. */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text)
  if (isJsonObject(value)) return value
  const kind = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
  throw new FlotillaError('malformed', `The request body must be a JSON object, not ${kind}`)
}

/** The JSON value that the text is; `malformed` that says where it breaks. */
export function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FlotillaError('malformed', `The request body is not valid JSON: ${breakage(text)}`, {
      cause,
    })
  }
}

/** The engine words this differently in every version, and often without the place. */
function breakage(text: string): string {
  const position = scanJson(text, () => undefined) ?? text.length
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const point = text.codePointAt(position)
  const found = point === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(point))
  return `unexpected ${found} at line ${line}, column ${column} (position ${position})`
}
