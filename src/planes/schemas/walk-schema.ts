import { type JsonValue, isJsonArray, isJsonObject } from '../../lib/json/json.ts'
import type { Schema } from '../model/schema.ts'
import { schemaOfMember } from './declared-schema.ts'
import { childPath } from './validation/validation-run.ts'

/** Visits values with their schemas, but only below schemas that `isRelevant` holds for. */
export interface SchemaWalker {
  /** Whether the schema or one below it is relevant. */
  readonly hasRelevant: (schema: Schema) => boolean
  readonly walk: (
    value: JsonValue,
    schema: Schema,
    visit: (value: JsonValue, schema: Schema, path: string) => void,
  ) => void
}

/** Creates a walker that remembers which schemas have nothing relevant below them. */
export function createSchemaWalker(isRelevant: (schema: Schema) => boolean): SchemaWalker {
  const relevant = new WeakMap<Schema, boolean>()

  function hasRelevant(schema: Schema): boolean {
    const cached = relevant.get(schema)
    if (cached !== undefined) return cached
    const found = isRelevant(schema) || partsOf(schema).some(hasRelevant)
    relevant.set(schema, found)
    return found
  }

  const walk: SchemaWalker['walk'] = (root, rootSchema, visit) => {
    const descend = (value: JsonValue, schema: Schema, path: string): void => {
      if (!hasRelevant(schema)) return
      if (isRelevant(schema)) visit(value, schema, path)
      const { items } = schema
      if (isJsonArray(value) && items) {
        for (const [index, item] of value.entries()) descend(item, items, `${path}[${index}]`)
      }
      if (!isJsonObject(value)) return
      for (const name of Object.keys(value)) {
        const member = value[name]
        const declared = schemaOfMember(schema, name)
        if (declared && member !== undefined) descend(member, declared, childPath(path, name))
      }
    }
    descend(root, rootSchema, '')
  }
  return { hasRelevant, walk }
}

/** The schemas of members and items, without those in logical junctors. */
function partsOf({ properties = {}, additionalProperties, items }: Schema): readonly Schema[] {
  const parts = Object.values(properties)
  if (typeof additionalProperties === 'object') parts.push(additionalProperties)
  if (items) parts.push(items)
  return parts
}
