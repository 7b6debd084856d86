import type { JsonObject } from '../../lib/json/json.ts'
import type { ResourceType } from '../model/resource-type.ts'
import type { ServedGroup, ServedVersion } from './served-groups.ts'
import { subresourcesOf } from './subresources.ts'

function aggregatedResource(type: ResourceType, version: string): JsonObject {
  const { group, kind, plural, singular, namespaced, shortNames, categories, verbs } = type
  const subresources = subresourcesOf(type, version).map((subresource) => ({
    subresource: subresource.name,
    responseKind: {
      group: subresource.group,
      version: subresource.version,
      kind: subresource.kind,
    },
    verbs: subresource.verbs,
  }))
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  }
}

function aggregatedVersion({ name, types, delegated }: ServedVersion): JsonObject {
  return {
    version: name,
    freshness: delegated === null || delegated.isCurrent ? 'Current' : 'Stale',
    resources: [
      ...types.map((type) => aggregatedResource(type, name)),
      ...(delegated?.resources ?? []),
    ],
  }
}

/** The versions of the format of the aggregated document. */
export type AggregatedFormat = 'v2' | 'v2beta1'

/** All groups with their resources in one document. */
export function aggregatedGroups(
  groups: readonly ServedGroup[],
  format: AggregatedFormat,
): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${format}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: { ...(name !== '' && { name }), creationTimestamp: null },
      versions: versions.map(aggregatedVersion),
    })),
  }
}
