import { parse } from 'yaml'
import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'

/** The spec of `--spec`, with the fields of `--set` in it. */
export function specFromOptions(text: string | undefined, fields: readonly string[]): JsonObject {
  const spec = text === undefined ? {} : parsed(text, '--spec')
  if (!isJsonObject(spec)) throw new CliError('--spec must be an object', { exit: 'usage' })
  return fields.reduce<JsonObject>((before, field) => withField(before, field), spec)
}

function withField(spec: JsonObject, field: string): JsonObject {
  const [path, value] = splitPair(field)
  return setAt(spec, path.split('.'), fieldValue(value, path))
}

/** A version such as 4.10 stays text: the number would be 4.1. */
function fieldValue(text: string, path: string): unknown {
  const value = parsed(text, path)
  return typeof value === 'number' && String(value) !== text ? text : value
}

function setAt(
  object: JsonObject,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): JsonObject {
  if (rest.length === 0) return { ...object, [key]: value }
  const inner = object[key]
  return { ...object, [key]: setAt(isJsonObject(inner) ? inner : {}, rest, value) }
}

/** The two parts of `key=value`. */
export function splitPair(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new CliError(`'${text}' has no value`, { exit: 'usage', hint: 'Write KEY=VALUE.' })
}

/** Numbers, booleans and lists are YAML: `3`, `true`, `[a, b]`. */
function parsed(text: string, what: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    const detail = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw new CliError(`the value of ${what} is not YAML: ${detail}`, { exit: 'usage', cause })
  }
}
