import { isUtf8 } from 'node:buffer'
import { must } from '../../lib/assert.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { messageFields, type MessageField } from './message-fields.ts'
import { SPECIAL_VALUES } from './special-values.ts'
import { LENGTH_DELIMITED, wireFields, type WireField } from './wire-reader.ts'
import { exactInteger } from '../../lib/json/json-text.ts'

const MAX_DEPTH = 100
const MAX_VALUES = 300_000

/** The limits of one decoding. */
export interface DecodingBudget {
  values: number
}

export interface DecodingCircumstances {
  readonly budget: DecodingBudget
  /** The number of messages around the message. */
  readonly depth: number
}

type Draft = Map<string, JsonValue>

/**
 * Decodes a message into the JSON that the Go types would produce, without nulls. Throws
 * RangeError or SyntaxError if the bytes are malformed or too complex.
 */
export function decodeMessage(
  type: string,
  message: Uint8Array,
  circumstances: DecodingCircumstances,
): JsonObject {
  const draft: Draft = new Map()
  readInto(draft, type, message, circumstances)
  return Object.fromEntries(draft)
}

// oxlint-disable-next-line max-params -- called for each message: no object per call
function readInto(
  draft: Draft,
  type: string,
  message: Uint8Array,
  { budget, depth }: DecodingCircumstances,
): void {
  const fields = must(messageFields(type), `no message ${type}`)
  if (depth > MAX_DEPTH) throw new RangeError('too deep')
  const inner = { budget, depth: depth + 1 }
  const lists = new Map<string, JsonValue[]>()
  const maps = new Map<string, Draft>()
  for (const wire of wireFields(message)) {
    const field = fields.get(wire.number)
    if (field === undefined) continue
    budget.values += 1
    if (budget.values > MAX_VALUES) throw new RangeError('too many values')
    if (field.cardinality === 'list') {
      append(lists, field, valueOf(field.type, wire, inner))
    } else if (field.cardinality === 'map') {
      addEntry(maps, field, wire, inner)
    } else if (field.name === '') {
      readInto(draft, field.type, bytesOf(wire), inner)
    } else {
      const value = valueOf(field.type, wire, inner)
      if (value !== null && (field.keepsZero || !isZero(value))) draft.set(field.name, value)
    }
  }
  for (const [name, items] of lists) draft.set(name, items)
  for (const [name, entries] of maps) draft.set(name, Object.fromEntries(entries))
}

function append(lists: Map<string, JsonValue[]>, { name }: MessageField, value: JsonValue): void {
  const list = lists.get(name)
  if (list === undefined) lists.set(name, [value])
  else list.push(value)
}

/** A map is a list of messages with the key in field 1 and the value in field 2. */
// oxlint-disable-next-line max-params -- called for each entry: no object per call
function addEntry(
  maps: Map<string, Draft>,
  { name, type }: MessageField,
  entry: WireField,
  inner: DecodingCircumstances,
): void {
  let key = ''
  let value: JsonValue | null = null
  for (const part of wireFields(bytesOf(entry))) {
    if (part.number === 1) key = textOf(part)
    if (part.number === 2) value = valueOf(type, part, inner)
  }
  const entries = maps.get(name) ?? new Map<string, JsonValue>()
  maps.set(name, entries)
  entries.set(key, value ?? (type === 'string' || type === 'bytes' ? '' : null))
}

function valueOf(type: string, wire: WireField, inner: DecodingCircumstances): JsonValue {
  switch (type) {
    case 'string':
      return textOf(wire)
    case 'bytes':
      return Buffer.from(bytesOf(wire)).toString('base64')
    case 'bool':
      return numberOf(wire) !== 0
    case 'int':
      return integerOf(wire)
    case 'double':
      return doubleOf(wire)
    case 'schema-or-array':
    case 'schema-or-bool':
    case 'schema-or-strings':
      return schemaOr(type, bytesOf(wire), inner)
    default:
      break
  }
  const special = Object.hasOwn(SPECIAL_VALUES, type) ? SPECIAL_VALUES[type] : undefined
  if (special !== undefined) return special(bytesOf(wire))
  const value = decodeMessage(type, bytesOf(wire), inner)
  // A named list type, such as the values of an extra key of a user, is a message around a list.
  const fields = must(messageFields(type), `no message ${type}`)
  return fields.size === 1 && fields.get(1)?.name === '' ? (value[''] ?? []) : value
}

/** A schema, or one of the alternatives that JSON schema allows in its place. */
function schemaOr(type: string, message: Uint8Array, inner: DecodingCircumstances): JsonValue {
  const schemas: JsonValue[] = []
  const texts: JsonValue[] = []
  let allows = false
  for (const wire of wireFields(message)) {
    const isSchema = type === 'schema-or-bool' ? wire.number === 2 : wire.number === 1
    if (isSchema || type === 'schema-or-array') {
      schemas.push(decodeMessage('apiextensions.v1.JSONSchemaProps', bytesOf(wire), inner))
    } else if (type === 'schema-or-bool') allows = numberOf(wire) !== 0
    else texts.push(textOf(wire))
  }
  if (type === 'schema-or-bool') return schemas[0] ?? allows
  if (type === 'schema-or-strings') return texts.length > 0 ? texts : (schemas[0] ?? null)
  const isList = [...wireFields(message)].some(({ number }) => number === 2)
  return isList ? schemas : (schemas[0] ?? null)
}

function isZero(value: JsonValue): boolean {
  return value === '' || value === 0 || value === false
}

function bytesOf({ wireType, bytes }: WireField): Uint8Array {
  if (wireType !== LENGTH_DELIMITED) throw new RangeError('unexpected wire type')
  return bytes
}

function textOf(wire: WireField): string {
  const bytes = bytesOf(wire)
  if (!isUtf8(bytes)) throw new RangeError('text is not valid UTF-8')
  return Buffer.from(bytes).toString('utf8')
}

function numberOf(wire: WireField): number {
  return Number(integerOf(wire))
}

function integerOf({ wireType, integer }: WireField): number | bigint {
  if (wireType !== 0) throw new RangeError('unexpected wire type')
  return exactInteger(BigInt.asIntN(64, integer))
}

function doubleOf({ wireType, integer }: WireField): number {
  if (wireType !== 1) throw new RangeError('unexpected wire type')
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, BigInt.asUintN(64, integer))
  return view.getFloat64(0)
}
