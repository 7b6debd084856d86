import { contentHash } from '../discovery/serialized-document.ts'
import { mergesStrategically, type ResourceType } from '../model/resource-type.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** Part of every hash: change it when the same types lead to other documents. */
const GENERATION = '3'

const hashes = new WeakMap<ResourceType, string>()

/** A hash of everything in a type that its documents depend on. */
function typeHash(type: ResourceType): string {
  const known = hashes.get(type)
  if (known !== undefined) return known
  const { group, plural, kind, listKind, namespaced, verbs, versions, subresources, isCustom } =
    type
  const isStrategic = mergesStrategically(type)
  const parts = versions.map(({ name, served, schema, hasStatus, scale, selectableFields }) => ({
    name,
    served,
    schema,
    hasStatus,
    scale: scale !== null,
    selectableFields,
  }))
  const labels = { group, plural, kind, listKind, namespaced, verbs }
  const names = { ...labels, subresources, isCustom, isStrategic }
  const hash = contentHash(jsonText([names, parts]))
  hashes.set(type, hash)
  return hash
}

/** A hash of types in any order. */
export function typesHash(types: readonly ResourceType[]): string {
  return contentHash([GENERATION, ...types.map(typeHash).toSorted()].join('\n'))
}
