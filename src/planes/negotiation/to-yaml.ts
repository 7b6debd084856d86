import { endsStep, type Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { jsonText } from '../../lib/json/json-text.ts'

const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./-]*$/
/** Plain scalars that YAML 1.1 or 1.2 does not read as text. */
const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n)$/i
/** Characters that JSON allows in text and YAML does not. */
const UNPRINTABLE = /[\u007f-\u009f\ufeff\ufffe\uffff]/g

/**
 * Formats JSON as YAML in block style. A list of objects as large as a response would take the
 * yaml package several seconds; this takes about as long as JSON.stringify.
 */
export function* yamlInSteps(value: JsonValue): Steps<string> {
  const lines: string[] = []
  if (isBlock(value)) yield* writeBlock(lines, value, '')
  else lines.push(scalar(value))
  return `${lines.join('\n')}\n`
}

/** Whether the value needs separate lines. */
function isBlock(value: JsonValue): value is JsonObject | readonly JsonValue[] {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0
}

function* writeBlock(
  lines: string[],
  value: JsonObject | readonly JsonValue[],
  indent: string,
): Steps<void> {
  if (!isJsonObject(value)) {
    for (const item of value) {
      if (endsStep()) yield
      yield* writeItem(lines, item, indent)
    }
    return
  }
  for (const [key, member] of Object.entries(value)) {
    if (endsStep()) yield
    const label = `${indent}${text(key)}:`
    if (!isBlock(member)) {
      lines.push(`${label} ${scalar(member)}`)
      continue
    }
    lines.push(label)
    yield* writeBlock(lines, member, Array.isArray(member) ? indent : `${indent}  `)
  }
}

function* writeItem(lines: string[], item: JsonValue, indent: string): Steps<void> {
  if (!isBlock(item)) {
    lines.push(`${indent}- ${scalar(item)}`)
    return
  }
  const start = lines.length
  yield* writeBlock(lines, item, `${indent}  `)
  lines[start] = `${indent}- ${(lines[start] ?? '').slice(indent.length + 2)}`
}

function scalar(value: JsonValue): string {
  if (typeof value === 'string') return text(value)
  return jsonText(value)
}

function text(value: string): string {
  if (PLAIN.test(value) && !RESERVED.test(value)) return value
  return JSON.stringify(value).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
