import { createHash } from 'node:crypto'
import type { JsonObject } from '../../lib/json/json.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import type { ResourceType } from '../model/resource-type.ts'
import { apiVersionOf } from '../model/resource-type.ts'
import type { ServedVersion } from './served-groups.ts'
import { subresourcesOf } from './subresources.ts'

const HASH_BYTES = 8

/** Changes if the version changes in which objects are stored. */
function storageVersionHash({ group, storageVersion, kind }: ResourceType): string {
  const digest = createHash('sha256').update(`${group}/${storageVersion}/${kind}`).digest()
  return digest.subarray(0, HASH_BYTES).toString('base64')
}

function resourcesOf(type: ResourceType, version: string): readonly JsonObject[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, group } = type
  const isStored = verbs.some((verb) => verb !== 'create')
  const resource = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(isStored && { storageVersionHash: storageVersionHash(type) }),
  }
  const subresources = subresourcesOf(type, version).map((subresource) => ({
    name: `${plural}/${subresource.name}`,
    singularName: '',
    namespaced,
    ...(subresource.group !== group && { group: subresource.group, version: subresource.version }),
    kind: subresource.kind,
    verbs: subresource.verbs,
  }))
  return [resource, ...subresources]
}

/** The entries of a resource of another server. */
function delegatedResources(resource: JsonObject): readonly JsonObject[] {
  const { resource: name, singularResource = '', scope, verbs = [] } = resource
  const { responseKind, shortNames, categories, subresources } = resource
  const namespaced = scope === 'Namespaced'
  const kindOf = (value: typeof responseKind) => (isJsonObject(value) ? value : {})
  const { kind = '' } = kindOf(responseKind)
  const main = {
    name: name ?? '',
    singularName: singularResource,
    namespaced,
    kind,
    verbs,
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
  }
  const nested = (Array.isArray(subresources) ? subresources : [])
    .filter((item) => isJsonObject(item))
    .map((item) => ({
      name: [name, item['subresource']].filter((part) => typeof part === 'string').join('/'),
      singularName: '',
      namespaced,
      ...kindOf(item['responseKind']),
      verbs: item['verbs'] ?? [],
    }))
  return [main, ...nested]
}

/** The document of `/apis/{group}/{version}`, or of `/api/v1`. */
export function apiResourceList(
  group: string,
  { name, types, delegated }: ServedVersion,
): JsonObject {
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(group, name),
    resources: [
      ...types.flatMap((type) => resourcesOf(type, name)),
      ...(delegated?.resources ?? []).flatMap(delegatedResources),
    ],
  }
}
