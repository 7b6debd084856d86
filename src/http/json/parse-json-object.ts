import { FlotillaError } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { stepsInTurns } from '../../lib/async/steps.ts'
import { parseItemsInSteps } from '../../lib/json/parse-items.ts'
import { scanJson } from '../../lib/json/scan-json.ts'

/** Parses a JSON object. Throws `malformed` if the text is not one. */
export function parseJsonObject(text: string): JsonObject {
  return requireObject(parseJson(text))
}

/** The same. The items of a long text are parsed in different turns of the event loop. */
export async function parseJsonObjectInTurns(text: string): Promise<JsonObject> {
  return (await stepsInTurns(parseItemsInSteps(text))) ?? parseJsonObject(text)
}

function requireObject(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value
  const kind = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
  throw new FlotillaError('malformed', `The request body must be a JSON object, not ${kind}`)
}

/** Parses JSON. Throws `malformed` with the position of the first error. */
export function parseJson(
  text: string,
  parse: (text: string) => JsonValue = JSON.parse,
): JsonValue {
  try {
    return parse(text)
  } catch (cause) {
    throw new FlotillaError(
      'malformed',
      `The request body is not valid JSON: ${syntaxError(text)}`,
      {
        cause,
      },
    )
  }
}

/** The engine's own message depends on its version and often lacks the position. */
function syntaxError(text: string): string {
  const position = scanJson(text, () => undefined) ?? text.length
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const point = text.codePointAt(position)
  const found =
    point === undefined ? 'end of the text' : JSON.stringify(String.fromCodePoint(point))
  return `unexpected ${found} at line ${line}, column ${column} (position ${position})`
}
