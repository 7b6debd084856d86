import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  parameter,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../../src/lib/cel/types/type.ts'
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
} from '../../src/lib/cel/values/times.ts'
import {
  CelDuration,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  isList,
  isMap,
  keysOf,
  mapKeyOf,
} from '../../src/lib/cel/values/value.ts'

/** A value of the vectors: protobuf's JSON of `cel.expr.Value`. */
export interface WireValue {
  readonly nullValue?: null
  readonly boolValue?: boolean
  readonly int64Value?: string
  readonly uint64Value?: string
  readonly doubleValue?: number | string
  readonly stringValue?: string
  readonly bytesValue?: string
  readonly typeValue?: string
  readonly listValue?: { readonly values?: readonly WireValue[] }
  readonly mapValue?: {
    readonly entries?: readonly { readonly key: WireValue; readonly value: WireValue }[]
  }
  readonly objectValue?: { readonly '@type': string; readonly value: string }
}

/** A type of the vectors: protobuf's JSON of `cel.expr.Type`. */
export interface WireType {
  readonly primitive?: 'BOOL' | 'INT64' | 'UINT64' | 'DOUBLE' | 'STRING' | 'BYTES'
  readonly wellKnown?: 'TIMESTAMP' | 'DURATION' | 'ANY'
  readonly null?: null
  readonly listType?: { readonly elemType?: WireType }
  readonly mapType?: { readonly keyType?: WireType; readonly valueType?: WireType }
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly WireType[] }
  readonly messageType?: string
  readonly type?: WireType
  readonly typeParam?: string
}

const PRIMITIVES = { BOOL, INT64: INT, UINT64: UINT, DOUBLE, STRING, BYTES } as const

const MESSAGES: ReadonlyMap<string, Type> = new Map(
  [DURATION, TIMESTAMP].map((type) => [type.name, type]),
)

/** The type of a vector; unknown kinds are dynamic. */
export function typeOfWire(type: WireType = {}): Type {
  if (type.primitive) return PRIMITIVES[type.primitive]
  if (type.wellKnown) {
    return { TIMESTAMP, DURATION, ANY: DYN }[type.wellKnown]
  }
  if (type.null === null) return NULL
  if (type.listType) return listOf(typeOfWire(type.listType.elemType))
  if (type.mapType)
    return mapOf(typeOfWire(type.mapType.keyType), typeOfWire(type.mapType.valueType))
  if (type.type) return typeOf(typeOfWire(type.type))
  const { abstractType } = type
  if (abstractType) {
    return opaque(abstractType.name, ...(abstractType.parameterTypes ?? []).map(typeOfWire))
  }
  if (type.typeParam !== undefined) return parameter(type.typeParam)
  return MESSAGES.get(type.messageType ?? '') ?? DYN
}

/** The value of a vector. */
export function valueOfWire(wire: WireValue): CelValue {
  if (wire.boolValue !== undefined) return wire.boolValue
  if (wire.int64Value !== undefined) return BigInt(wire.int64Value)
  if (wire.uint64Value !== undefined) return new CelUint(BigInt(wire.uint64Value))
  if (wire.doubleValue !== undefined) return Number(wire.doubleValue)
  if (wire.stringValue !== undefined) return wire.stringValue
  if (wire.bytesValue !== undefined) return new Uint8Array(Buffer.from(wire.bytesValue, 'base64'))
  if (wire.listValue) return (wire.listValue.values ?? []).map(valueOfWire)
  if (wire.mapValue) {
    const map = new CelMap()
    for (const { key, value } of wire.mapValue.entries ?? []) {
      const wireKey = valueOfWire(key)
      const mapKey = mapKeyOf(wireKey)
      if (mapKey === undefined) throw new Error(`not a key: ${JSON.stringify(key)}`)
      if (wireKey instanceof CelUint) map.unsignedKeys.add(mapKey)
      map.set(mapKey, valueOfWire(value))
    }
    return map
  }
  if (wire.objectValue) return objectOfWire(wire.objectValue)
  if (wire.nullValue === null) return null
  throw new Error(`unknown value: ${JSON.stringify(wire)}`)
}

function objectOfWire(wire: { readonly '@type': string; readonly value: string }): CelValue {
  if (wire['@type'].endsWith('Duration')) return parseDuration(wire.value)
  if (wire['@type'].endsWith('Timestamp')) return parseTimestamp(wire.value)
  throw new Error(`unknown object: ${JSON.stringify(wire)}`)
}

/** A text that is the same for the same values only; maps have no order. */
export function describeValue(value: CelValue): string {
  if (isList(value)) return `[${value.map(describeValue).join(', ')}]`
  if (isMap(value)) {
    const entries = keysOf(value).map((key) => {
      const item = value.get(mapKeyOf(key) ?? '') ?? null
      return `${describeValue(key)}: ${describeValue(item)}`
    })
    return `{${entries.toSorted().join(', ')}}`
  }
  if (value instanceof CelUint) return `${value.value}u`
  if (value instanceof CelDuration) return `duration ${formatDuration(value)}`
  if (value instanceof CelTimestamp) return `timestamp ${formatTimestamp(value)}`
  if (value instanceof CelTypeValue) return `type ${value.named.name}`
  if (value instanceof CelOptional) {
    return value.value === undefined ? 'none' : `some ${describeValue(value.value)}`
  }
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`
  if (typeof value === 'string') return JSON.stringify(value)
  return value === null || typeof value === 'boolean' ? String(value) : formatType(value.type)
}

/** The description of a vector's value; types have only a name there. */
export function describeWire(wire: WireValue): string {
  return wire.typeValue === undefined ? describeValue(valueOfWire(wire)) : `type ${wire.typeValue}`
}
