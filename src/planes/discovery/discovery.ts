import { lazy } from '../../lib/lazy.ts'
import type { PlaneTypes } from '../model/type-registry.ts'
import { type AggregatedFormat, aggregatedGroups } from './aggregated-groups.ts'
import { apiGroup, apiGroupList, apiVersions } from './api-groups.ts'
import { apiResourceList } from './api-resources.ts'
import { type SerializedDocument, serializedDocument } from './serialized-document.ts'
import { type DelegatedVersion, type ServedGroup, servedGroups } from './served-groups.ts'

/** The discovery documents of a plane. Each is computed at its first use. */
export interface Discovery {
  /** `/api` */
  readonly versions: () => SerializedDocument
  /** `/apis` */
  readonly groups: () => SerializedDocument
  /** `/apis/{group}`; null if the plane does not serve the group. */
  readonly group: (name: string) => SerializedDocument | null
  /** `/apis/{group}/{version}`, and `/api/{version}` for the empty group. */
  readonly resources: (group: string, version: string) => SerializedDocument | null
  /** The aggregated form of `/api` (`core`) or `/apis` (`named`). */
  readonly aggregated: (groups: 'core' | 'named', format: AggregatedFormat) => SerializedDocument
  /** The paths of the groups, for `/`. */
  readonly paths: () => readonly string[]
}

const NONE: readonly DelegatedVersion[] = []
/** By the list of types, which is a new one after every change, and the delegated versions. */
const cache = new WeakMap<object, WeakMap<object, Discovery>>()

/** The discovery documents of the served resources and of versions that other servers serve. */
export function discoveryOf(
  { types }: Pick<PlaneTypes, 'types'>,
  delegated: readonly DelegatedVersion[] = NONE,
): Discovery {
  const cached = cache.get(types) ?? new WeakMap<object, Discovery>()
  cache.set(types, cached)
  const discovery =
    cached.get(delegated) ?? createDiscovery(lazy(() => servedGroups(types, delegated)))
  cached.set(delegated, discovery)
  return discovery
}

function createDiscovery(groups: () => readonly ServedGroup[]): Discovery {
  const documents = new Map<string, SerializedDocument>()
  const cached = (key: string, compute: () => Parameters<typeof serializedDocument>[0]) => {
    const document = documents.get(key) ?? serializedDocument(compute())
    documents.set(key, document)
    return document
  }
  const find = (name: string) => groups().find((group) => group.name === name)
  return {
    versions: () => cached('/api', () => apiVersions(groups())),
    groups: () => cached('/apis', () => apiGroupList(groups())),
    group: (name) => {
      const group = name === '' ? undefined : find(name)
      return group ? cached(`/apis/${name}`, () => apiGroup(group)) : null
    },
    resources: (name, version) => {
      const served = find(name)?.versions.find((item) => item.name === version)
      return served ? cached(`${name}/${version}`, () => apiResourceList(name, served)) : null
    },
    aggregated: (part, format) =>
      cached(`${part} ${format}`, () =>
        aggregatedGroups(
          groups().filter(({ name }) => (name === '') === (part === 'core')),
          format,
        ),
      ),
    paths: () => pathsOf(groups()),
  }
}

function pathsOf(groups: readonly ServedGroup[]): readonly string[] {
  const versions = groups.flatMap(({ name, versions: listed }) => {
    const root = name === '' ? '/api' : `/apis/${name}`
    return [root, ...listed.map((version) => `${root}/${version.name}`)]
  })
  return ['/apis', ...versions]
}
