import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { ResourceType } from '../../planes/model/resource-type.ts'
import { groupVersionContent } from '../../planes/openapi/group-version-content.ts'
import { FLEET_TYPE } from '../types/fleet-type.ts'
import { KPLANE_API_VERSION, KPLANE_GROUP, KPLANE_VERSION } from '../types/kplane-group.ts'
import { SCENARIO_TYPE } from '../types/scenario-type.ts'

/** Definitions that only the complete document of the group uses. */
const UNUSED: ReadonlySet<string> = new Set(['APIResourceList', 'Patch'])
const REFERENCE = '#/components/schemas/'

/** The schemas of fleets, scenarios and their parts, by the last part of their definition's name. */
export function kplaneSchemas(): Readonly<Record<string, JsonObject>> {
  const types: readonly ResourceType[] = [FLEET_TYPE, SCENARIO_TYPE]
  const at = { group: KPLANE_GROUP, version: KPLANE_VERSION }
  const { definitions } = groupVersionContent(types, at, 'v3')
  const schemas = definitions
    .map(([name, schema]): [string, JsonObject] => [shortName(name), schemaOf(schema)])
    .filter(([name]) => !UNUSED.has(name))
  return {
    ...Object.fromEntries(schemas),
    ...Object.fromEntries(
      schemas.flatMap(([name, schema]) => {
        const kinds = types.flatMap(({ kind, listKind }) => [kind, listKind])
        return kinds.includes(name) ? [[name, withKind(schema, name)]] : []
      }),
    ),
  }
}

/** A kind with the values that its type fields have. */
function withKind(schema: JsonObject, kind: string): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const others = required.filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name))
  return {
    ...schema,
    required: ['apiVersion', 'kind', 'metadata', ...others],
    properties: {
      ...properties,
      apiVersion: { type: 'string', enum: [KPLANE_API_VERSION] },
      kind: { type: 'string', enum: [kind] },
    },
  }
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** A schema in the form of OpenAPI 3.1 with short references. */
function schemaOf(schema: JsonObject): JsonObject {
  const { allOf, nullable, ...rest } = schema
  const { 'x-kubernetes-int-or-string': isEither, ...plain } = rest
  const members = Object.entries(plain)
    .filter(([name]) => !name.startsWith('x-kubernetes-'))
    .map(([name, value]) => [name, valueOf(value)])
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? allOf : []
  const { type } = plain
  return {
    ...Object.fromEntries(members),
    ...(nullable === true && typeof type === 'string' && { type: [type, 'null'] }),
    ...(isEither === true && { type: ['integer', 'string'] }),
    ...(isOpen(schema) && { additionalProperties: true }),
    ...(only !== undefined && isJsonObject(only) && schemaOf(only)),
  }
}

function isOpen(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true
}

function valueOf(value: JsonValue): JsonValue {
  if (typeof value === 'string' && value.startsWith(REFERENCE)) {
    return REFERENCE + shortName(value.slice(REFERENCE.length))
  }
  if (Array.isArray(value)) return value.map(valueOf)
  return isJsonObject(value) ? schemaOf(value) : value
}
