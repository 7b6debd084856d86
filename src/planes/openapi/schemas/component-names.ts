import type { ResourceType, ResourceVersion } from '../../model/resource-type.ts'

/** Prefix of the definitions that all groups share. */
export const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
/** Name of the definition of `metadata`. */
export const OBJECT_META = `${META}.ObjectMeta`
/** Name of the definition of the metadata of lists. */
export const LIST_META = `${META}.ListMeta`

/** Name of the definition of a kind, such as `com.example.v1.Widget`. */
export function kindComponent(
  { group, kind }: Pick<ResourceType, 'group' | 'kind'>,
  { name, schema }: Pick<ResourceVersion, 'name' | 'schema'>,
): string {
  if (schema.definition !== undefined) return schema.definition
  return [...group.split('.').toReversed(), name, kind].join('.')
}

/** Name of the definition of the lists of a kind. */
export function listComponent(type: ResourceType, version: ResourceVersion): string {
  const own = kindComponent(type, version)
  return `${own.slice(0, own.lastIndexOf('.') + 1)}${type.listKind}`
}
