import type { JsonValue } from '../../../lib/json/json.ts'

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped'

/** A list. Items of atomic lists have no path elements. */
export interface ListType {
  readonly relation: 'atomic' | 'set' | 'map'
  /** The fields that identify an item; empty unless the relation is `map`. */
  readonly keys: readonly string[]
  readonly items: FieldType
  /** The default of a key that an item omits. */
  readonly keyDefault: (name: string) => JsonValue | undefined
}

/** An object with declared fields, or a map. */
export interface MapType {
  readonly isAtomic: boolean
  /** The type of a declared field; undefined if the name is not declared. */
  readonly declared: (name: string) => FieldType | undefined
  readonly hasDeclared: boolean
  /** The type of all other members; null if there must be none. */
  readonly others: FieldType | null
}

/** The values that a field may have; several alternatives if the schema does not state a type. */
export interface FieldType {
  readonly scalar: ScalarType | null
  readonly list: ListType | null
  readonly map: MapType | null
}

export type Shape = 'map' | 'scalar' | 'list'

/** Any value; objects and lists are atomic. */
export const UNTYPED: FieldType = {
  scalar: 'untyped',
  list: atomicListOf(() => UNTYPED),
  map: mapOf(() => UNTYPED, true),
}

/** Any value; objects have separate fields, and lists are atomic. */
export const DEDUCED: FieldType = {
  scalar: 'untyped',
  list: atomicListOf(() => UNTYPED),
  map: mapOf(() => DEDUCED, false),
}

function atomicListOf(items: () => FieldType): ListType {
  return {
    relation: 'atomic',
    keys: [],
    get items() {
      return items()
    },
    keyDefault: () => undefined,
  }
}

function mapOf(others: () => FieldType, isAtomic: boolean): MapType {
  return {
    isAtomic,
    declared: () => undefined,
    hasDeclared: false,
    get others() {
      return others()
    },
  }
}

/** The alternative of the type that fits the value. Null and unfit values get the first one. */
export function shapeOf(type: FieldType, value: JsonValue | undefined): Shape | null {
  if (value !== undefined && value !== null) {
    if (typeof value !== 'object') {
      if (type.scalar !== null) return 'scalar'
    } else if (Array.isArray(value)) {
      if (type.list !== null) return 'list'
    } else if (type.map !== null) return 'map'
  }
  if (type.map !== null) return 'map'
  if (type.scalar !== null) return 'scalar'
  return type.list === null ? null : 'list'
}

/** Whether the value is a leaf, whatever other values the type allows. */
export function isScalar({ scalar }: FieldType, value: JsonValue | undefined): boolean {
  return scalar !== null && value !== undefined && typeof value !== 'object'
}

/** The type of a member of an object. Members that must not exist are untyped. */
export function memberType(type: MapType, name: string): FieldType {
  return type.declared(name) ?? type.others ?? UNTYPED
}
