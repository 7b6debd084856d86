import { compareText } from '../../../lib/text/compare-text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { compareJson } from './compare-json.ts'
import { jsonText, parseJsonText } from '../../../lib/json/json-text.ts'

const FIELD = 'f:'
const KEY = 'k:'
const VALUE = 'v:'
const INDEX = 'i:'

/** The order in which the kinds of elements sort. */
const KINDS: readonly string[] = [FIELD, KEY, VALUE, INDEX]

/** The characters that Go escapes in JSON text and JavaScript does not. */
const GO_ESCAPES = /[<>&\u2028\u2029]/g

/** The element of a member of an object. */
export function fieldElement(name: string): string {
  return FIELD + name
}

/** The element of a primitive in a set. */
export function valueElement(value: JsonValue): string {
  return VALUE + goJson(value)
}

/** The element of an item of a list with keys. */
export function keyElement(fields: readonly (readonly [string, JsonValue])[]): string {
  const sorted = fields.toSorted(([first], [second]) => compareText(first, second))
  const members = sorted.map(([name, value]) => `${goJson(name)}:${goJson(value)}`)
  return `${KEY}{${members.join(',')}}`
}

/** The name of a field, or null if the element is an item of a list. */
export function fieldNameOf(element: string): string | null {
  return element.startsWith(FIELD) ? element.slice(FIELD.length) : null
}

/** Whether the element is an item of a list with keys. */
export function isKeyElement(element: string): boolean {
  return element.startsWith(KEY)
}

/**
 * The canonical text of an element. Null if its kind is unknown: a later version may have added it.
 * Throws a SyntaxError if the element is malformed.
 */
export function parseElement(text: string): string | null {
  if (text.startsWith(FIELD)) return text
  if (text.length < FIELD.length || text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`)
  const content = text.slice(FIELD.length)
  if (text.startsWith(VALUE)) return valueElement(parseJson(content))
  if (text.startsWith(KEY)) return keyElement(Object.entries(parseKey(content)))
  if (!text.startsWith(INDEX)) return null
  const index = Number(content)
  if (!Number.isSafeInteger(index)) throw new SyntaxError(`not an index: ${content}`)
  return `${INDEX}${index}`
}

/** Whether the text of an element is canonical and its kind is known. */
export function isCanonicalElement(text: string): boolean {
  return text.startsWith(FIELD) || parseElement(text) === text
}

/** Compares elements as Kubernetes does: fields first, then keys, values and indexes. */
export function compareElements(
  first: string,
  second: string,
  contentOf: (element: string) => JsonValue = elementContent,
): number {
  if (first.startsWith(FIELD) && second.startsWith(FIELD)) return compareText(first, second)
  const kind = first.slice(0, FIELD.length)
  const difference = KINDS.indexOf(kind) - KINDS.indexOf(second.slice(0, FIELD.length))
  return difference === 0 ? compareJson(contentOf(first), contentOf(second)) : difference
}

/** The parsed content of an element that is not a field. */
export function elementContent(element: string): JsonValue {
  const text = element.slice(FIELD.length)
  return isKeyElement(element) ? Object.entries(parseKey(text)) : parseJson(text)
}

/** Formats an element for messages: `.name`, `[key="value"]`, `[="value"]` or `[0]`. */
export function formatElement(element: string): string {
  const content = element.slice(FIELD.length)
  if (element.startsWith(FIELD)) return `.${content}`
  if (element.startsWith(VALUE)) return `[=${formatValue(parseJson(content))}]`
  if (!element.startsWith(KEY)) return `[${content}]`
  const fields = Object.entries(parseKey(content))
  return `[${fields.map(([name, value]) => `${name}=${formatValue(value)}`).join(',')}]`
}

function formatValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`
  if (!isJsonObject(value)) return jsonText(value)
  return Object.entries(value)
    .map(([name, member]) => `${name}=${formatValue(member)}`)
    .join('')
}

function parseKey(text: string): JsonObject {
  const fields = parseJson(text)
  if (isJsonObject(fields)) return fields
  throw new SyntaxError(`not a key: ${text}`)
}

function parseJson(text: string): JsonValue {
  return parseJsonText(text)
}

function goJson(value: JsonValue): string {
  return jsonText(value).replace(GO_ESCAPES, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })
}
