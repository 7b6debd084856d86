import type { Schema } from '../model/schema.ts'

/** How a field merges, from the extensions of its schema. */
export interface PatchRules {
  /** Schema of the field itself; undefined if unknown. */
  readonly schema: Schema | undefined
  /** `merge` or `replace`; empty for the default. */
  readonly strategy: string
  /** Empty if the list has no key. */
  readonly mergeKey: string
}

/** The rules of a field of an object with this schema. */
export function patchRulesOf(schema: Schema | undefined, name: string): PatchRules {
  const field = fieldSchema(schema, name)
  const strategies = (field?.['x-kubernetes-patch-strategy'] ?? '').split(',')
  return {
    schema: field,
    strategy: strategies.find((strategy) => strategy !== 'retainKeys') ?? '',
    mergeKey: field?.['x-kubernetes-patch-merge-key'] ?? '',
  }
}

function fieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  const properties = schema?.properties
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name]
  const others = schema?.additionalProperties
  return typeof others === 'object' ? others : undefined
}
