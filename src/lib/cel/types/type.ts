type SimpleKind =
  | 'dyn'
  | 'error'
  | 'null_type'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'duration'
  | 'timestamp'

/** A type of CEL. */
export interface Type {
  /** `struct` is the type of an object, `opaque` one of a library, `param` stands for any type. */
  readonly kind: SimpleKind | 'list' | 'map' | 'type' | 'opaque' | 'struct' | 'param'
  /** The name as `type(x)` shows it. */
  readonly name: string
  readonly parameters: readonly Type[]
  /** The declared fields. */
  readonly fields: ReadonlyMap<string, Type>
}

const NO_FIELDS: ReadonlyMap<string, Type> = new Map()

function simple(kind: SimpleKind, name: string = kind): Type {
  return { kind, name, parameters: [], fields: NO_FIELDS }
}

export const DYN = simple('dyn')
/** The type of an expression with an error, which causes no further errors. */
export const ERROR = simple('error')
export const NULL = simple('null_type')
export const BOOL = simple('bool')
export const INT = simple('int')
export const UINT = simple('uint')
export const DOUBLE = simple('double')
export const STRING = simple('string')
export const BYTES = simple('bytes')
export const DURATION = simple('duration', 'google.protobuf.Duration')
export const TIMESTAMP = simple('timestamp', 'google.protobuf.Timestamp')

/** A list of items of one type. */
export function listOf(item: Type): Type {
  return { kind: 'list', name: 'list', parameters: [item], fields: NO_FIELDS }
}

/** A map from keys of one type to values of one type. */
export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', parameters: [key, value], fields: NO_FIELDS }
}

/** The type of a type. */
export function typeOf(type: Type): Type {
  return { kind: 'type', name: 'type', parameters: [type], fields: NO_FIELDS }
}

/** A type of a library, such as `kubernetes.Quantity`. */
export function opaque(name: string, ...parameters: readonly Type[]): Type {
  return { kind: 'opaque', name, parameters, fields: NO_FIELDS }
}

const OPTIONAL = 'optional_type'

/** A value that may be absent. */
export function optionalOf(type: Type): Type {
  return opaque(OPTIONAL, type)
}

/** The type inside an optional; null for other types. */
export function optionalItem(type: Type): Type | null {
  return type.kind === 'opaque' && type.name === OPTIONAL ? (type.parameters[0] ?? DYN) : null
}

/** A type with declared fields. Types with the same name are the same. */
export function struct(name: string, fields: ReadonlyMap<string, Type>): Type {
  return { kind: 'struct', name, parameters: [], fields }
}

/** A placeholder in the signature of a function. */
export function parameter(name: string): Type {
  return { kind: 'param', name, parameters: [], fields: NO_FIELDS }
}

/** The parameter at a position of a list, map or optional type. */
export function parameterAt(type: Type, index: number): Type {
  return type.parameters[index] ?? DYN
}

/** Whether two types are the same. */
export function isSameType(one: Type, other: Type): boolean {
  return (
    one === other ||
    (one.kind === other.kind &&
      one.name === other.name &&
      one.parameters.length === other.parameters.length &&
      one.parameters.every((type, index) => isSameType(type, parameterAt(other, index))))
  )
}

/** The type as errors show it. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'param':
    case 'error':
      return type.kind === 'error' ? '!error!' : type.name
    case 'null_type':
      return 'null'
    case 'list':
    case 'map':
    case 'opaque':
      return type.parameters.length === 0
        ? type.name
        : `${type.name}(${type.parameters.map(formatType).join(', ')})`
    case 'type':
      return type.parameters.length === 0
        ? 'type'
        : `type(${type.parameters.map(formatType).join()})`
    case 'struct':
    default:
      return type.name
  }
}
