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
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../types/type.ts'

/** A value that JavaScript has no type for: unsigned integers, times, types and values of libraries. */
export abstract class CelObject {
  abstract readonly type: Type
  abstract isSame(other: CelObject): boolean

  /** The value of a field; undefined if there is none. */
  field(_name: string): CelValue | undefined {
    return undefined
  }
}

/** The keys of maps. Unsigned integers are bigints there, see `CelMap`. */
export type MapKey = string | bigint | boolean

/** A value of CEL: bigint is `int`, number is `double`. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelObject
  | readonly CelValue[]
  | ReadonlyMap<MapKey, CelValue>

/** A map that remembers which of its keys are unsigned. */
export class CelMap extends Map<MapKey, CelValue> {
  readonly unsignedKeys = new Set<MapKey>()
}

/** A value of the type `uint`. */
export class CelUint extends CelObject {
  readonly type = UINT
  readonly value: bigint

  constructor(value: bigint) {
    super()
    this.value = value
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelUint && other.value === this.value
  }
}

/** A signed number of nanoseconds. */
export class CelDuration extends CelObject {
  readonly type = DURATION
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelDuration && other.nanos === this.nanos
  }
}

/** Nanoseconds since 1970. */
export class CelTimestamp extends CelObject {
  readonly type = TIMESTAMP
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelTimestamp && other.nanos === this.nanos
  }
}

/** A type as a value: the result of `type(x)`. */
export class CelTypeValue extends CelObject {
  readonly type: Type
  readonly named: Type

  constructor(named: Type) {
    super()
    this.type = typeOf(named)
    this.named = named
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelTypeValue && other.named.name === this.named.name
  }
}

/** A value that may be absent. */
export class CelOptional extends CelObject {
  static readonly NONE = new CelOptional(undefined)

  readonly type = optionalOf(DYN)
  readonly value: CelValue | undefined

  constructor(value: CelValue | undefined) {
    super()
    this.value = value
  }

  /** Compared by `isSame` of equality.ts, because the value can be a list or a map. */
  isSame(other: CelObject): boolean {
    return other === this
  }
}

/** A value such as `Object.spec{replicas: 3}`. */
export class CelStruct extends CelObject {
  readonly type: Type
  readonly fields: ReadonlyMap<string, CelValue>

  constructor(type: Type, fields: ReadonlyMap<string, CelValue>) {
    super()
    this.type = type
    this.fields = fields
  }

  override field(name: string): CelValue | undefined {
    return this.fields.get(name)
  }

  /** Compared by `isSame` of equality.ts, because fields can be lists or maps. */
  isSame(other: CelObject): boolean {
    return other === this
  }
}

const LIST = listOf(DYN)
const MAP = mapOf(DYN, DYN)

/** The type of a value, without types of items. */
export function typeOfValue(value: CelValue): Type {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'bigint':
      return INT
    case 'number':
      return DOUBLE
    case 'boolean':
      return BOOL
    default:
      return typeOfObject(value)
  }
}

function typeOfObject(value: Exclude<CelValue, string | bigint | number | boolean>): Type {
  if (value === null) return NULL
  if (value instanceof CelObject) return value.type
  if (isList(value)) return LIST
  return value instanceof Uint8Array ? BYTES : MAP
}

/** Whether the value is a list. */
export function isList(value: CelValue): value is readonly CelValue[] {
  return Array.isArray(value)
}

/** Whether the value is a map. */
export function isMap(value: CelValue): value is ReadonlyMap<MapKey, CelValue> {
  return value instanceof Map
}

/** The keys of a map as values. */
export function keysOf(map: ReadonlyMap<MapKey, CelValue>): readonly CelValue[] {
  const keys = [...map.keys()]
  if (!(map instanceof CelMap) || map.unsignedKeys.size === 0) return keys
  return keys.map((key) =>
    typeof key === 'bigint' && map.unsignedKeys.has(key) ? new CelUint(key) : key,
  )
}

/** The key under which a map holds a value; undefined if no map has this key. */
export function mapKeyOf(value: CelValue): MapKey | undefined {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') {
    return value
  }
  if (value instanceof CelUint) return value.value
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined
}
