import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { ObjectNode, Property, TypeNode } from './declaration.ts'

const UNKNOWN: TypeNode = { kind: 'unknown' }

/** Reads a JSON Schema of an OpenAPI 3.1 document. Rules that types cannot express are ignored. */
export function readSchema(schema: JsonValue | undefined): TypeNode {
  if (!isJsonObject(schema)) return UNKNOWN
  const { $ref, const: literal, anyOf, oneOf, allOf } = schema
  if (typeof $ref === 'string') return { kind: 'reference', name: nameIn($ref) }
  if (isLiteral(literal)) return { kind: 'literal', value: literal }
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literalNode))
  const alternatives = anyOf ?? oneOf
  if (Array.isArray(alternatives)) return union(alternatives.map(readSchema))
  const own = readTypes(schema)
  if (!Array.isArray(allOf)) return own
  return intersection([own, ...allOf.map(readSchema)])
}

function readTypes(schema: JsonObject): TypeNode {
  const { type, properties } = schema
  if (Array.isArray(type)) return union(type.map((one) => readType(one, schema)))
  return readType(type ?? (properties === undefined ? undefined : 'object'), schema)
}

function readType(type: JsonValue | undefined, schema: JsonObject): TypeNode {
  switch (type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: type }
    case 'array':
      return { kind: 'array', items: readSchema(schema['items']) }
    case 'object':
      return readObject(schema)
    default:
      return UNKNOWN
  }
}

function readObject({ properties, required, additionalProperties }: JsonObject): TypeNode {
  const entries = isJsonObject(properties) ? Object.entries(properties) : []
  if (entries.length === 0) return { kind: 'map', values: readSchema(additionalProperties) }
  const names = Array.isArray(required) ? required : []
  const object: ObjectNode = {
    kind: 'object',
    properties: entries.map(([name, schema]) => property(name, schema, names.includes(name))),
    isOpen: additionalProperties === true,
  }
  return object
}

function property(name: string, schema: JsonValue, isRequired: boolean): Property {
  return { name, type: readSchema(schema), isRequired, description: descriptionOf(schema) }
}

/** The description of a schema, on one line. */
export function descriptionOf(schema: JsonValue): string | null {
  const text = isJsonObject(schema) ? schema['description'] : null
  return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : null
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function isLiteral(value: JsonValue | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function literalNode(value: JsonValue): TypeNode {
  if (value === null) return { kind: 'null' }
  return isLiteral(value) ? { kind: 'literal', value } : UNKNOWN
}

function union(members: readonly TypeNode[]): TypeNode {
  const [only, ...others] = members
  if (only !== undefined && others.length === 0) return only
  return { kind: 'union', members }
}

/** Members without a type, such as conditions with `if`, add nothing. */
function intersection(members: readonly TypeNode[]): TypeNode {
  const known = members.filter(({ kind }) => kind !== 'unknown')
  const [only, ...others] = known
  if (only === undefined) return UNKNOWN
  return others.length === 0 ? only : { kind: 'intersection', members: known }
}
