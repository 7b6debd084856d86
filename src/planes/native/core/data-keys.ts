import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { invalidValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import { lengthMessage, syntaxMessage } from '../metadata/name-syntax.ts'

/** The most bytes of data in a config map or secret. */
export const MAX_DATA_BYTES = 1024 * 1024

const PATTERN = '[-._a-zA-Z0-9]+'
const KEY_PATTERN = new RegExp(`^${PATTERN}$`)
const MAX_KEY_BYTES = 253

function keyMessages(key: string): readonly string[] {
  const messages: string[] = []
  if (Buffer.byteLength(key) > MAX_KEY_BYTES)
    messages.push(lengthMessage(MAX_KEY_BYTES).replace('bytes', 'characters'))
  if (!KEY_PATTERN.test(key)) {
    const message = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
    messages.push(syntaxMessage(message, PATTERN, ['key.name', 'KEY_NAME', 'key-name']))
  }
  if (key === '.' || key === '..') messages.push(`must not be '${key}'`)
  else if (key.startsWith('..')) messages.push("must not start with '..'")
  return messages
}

/** The violations of the rules of data keys. */
export function dataKeyErrors(field: string, data: JsonValue | undefined): readonly FieldError[] {
  return Object.keys(isJsonObject(data) ? data : {}).flatMap((key) =>
    keyMessages(key).map((message) => invalidValue(`${field}[${key}]`, key, message)),
  )
}

/** The bytes of the values. `encoding` is `base64` if the values are encoded. */
export function dataBytes(data: JsonValue | undefined, encoding: 'utf8' | 'base64'): number {
  if (!isJsonObject(data)) return 0
  let bytes = 0
  // `Object.values` takes twice as long for many keys.
  for (const key of Object.keys(data)) {
    const value = data[key]
    if (typeof value === 'string') bytes += Buffer.byteLength(value, encoding)
  }
  return bytes
}
