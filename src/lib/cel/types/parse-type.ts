import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  parameter,
  parameterAt,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from './type.ts'

const SIMPLE: ReadonlyMap<string, Type> = new Map([
  ['dyn', DYN],
  ['null', NULL],
  ['bool', BOOL],
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['string', STRING],
  ['bytes', BYTES],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
])

/** The signature of a function: `string#contains(string): bool`. */
export interface Signature {
  readonly name: string
  /** Whether the first argument is the receiver. */
  readonly isMember: boolean
  readonly parameters: readonly Type[]
  readonly result: Type
}

/** Parses a type such as `list<string>`. A capital letter is a type parameter. */
export function parseType(text: string): Type {
  const open = text.indexOf('<')
  if (open < 0) return named(text.trim())
  const items = splitAtCommas(text.slice(open + 1, text.lastIndexOf('>'))).map(parseType)
  const name = text.slice(0, open).trim()
  const generic = opaque(name, ...items)
  switch (name) {
    case 'list':
      return listOf(parameterAt(generic, 0))
    case 'map':
      return mapOf(parameterAt(generic, 0), parameterAt(generic, 1))
    case 'optional':
      return optionalOf(parameterAt(generic, 0))
    case 'type':
      return typeOf(parameterAt(generic, 0))
    default:
      return generic
  }
}

function named(name: string): Type {
  return SIMPLE.get(name) ?? (/^[A-Z]$/.test(name) ? parameter(name) : opaque(name))
}

/** Parses a signature. `#` separates the receiver of a method from its name. */
export function parseSignature(text: string): Signature {
  const close = text.lastIndexOf('): ')
  const result = parseType(text.slice(close + 3))
  const hash = text.indexOf('#')
  const receiver = hash < 0 ? [] : [parseType(text.slice(0, hash))]
  const rest = text.slice(hash + 1, close)
  const open = rest.indexOf('(')
  const items = splitAtCommas(rest.slice(open + 1))
  return {
    name: rest.slice(0, open),
    isMember: hash >= 0,
    parameters: [...receiver, ...items.map(parseType)],
    result,
  }
}

function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '<') depth += 1
    if (character === '>') depth -= 1
    if (character !== ',' || depth > 0) continue
    parts.push(text.slice(from, at).trim())
    from = at + 1
  }
  const last = text.slice(from).trim()
  return last === '' ? parts : [...parts, last]
}
