import { MESSAGE_FIELDS } from './descriptor.ts'

/** A field of a message. */
export interface MessageField {
  /** Name in JSON. Empty if the members of the message belong to the outer object. */
  readonly name: string
  readonly cardinality: 'single' | 'list' | 'map'
  /** A scalar, a special type such as `time`, or the name of a message. */
  readonly type: string
  /** Whether JSON shows the zero value. */
  readonly keepsZero: boolean
}

type Fields = ReadonlyMap<number, MessageField>

const CACHE = new Map<string, Fields>()

/** The fields of a message by number; null if the type is not a message. */
export function messageFields(message: string): Fields | null {
  const cached = CACHE.get(message)
  if (cached !== undefined) return cached
  const text = Object.hasOwn(MESSAGE_FIELDS, message) ? MESSAGE_FIELDS[message] : undefined
  if (text === undefined) return null
  const fields = new Map(text.split(' ').filter(Boolean).map(parseField))
  CACHE.set(message, fields)
  return fields
}

/** Parses `number:name:type`. `[` is a list, `{` a map with text keys, `!` keeps the zero value. */
function parseField(text: string): readonly [number, MessageField] {
  const [number, name = '', marked = ''] = text.split(':')
  const cardinality = marked.startsWith('[') ? 'list' : marked.startsWith('{') ? 'map' : 'single'
  const keepsZero = marked.endsWith('!')
  const type = marked.slice(cardinality === 'single' ? 0 : 1, keepsZero ? -1 : undefined)
  return [Number(number), { name, cardinality, type, keepsZero }]
}
