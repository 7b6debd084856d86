import type { JsonObject } from '../../lib/json/json.ts'
import { compareText } from '../../lib/text/compare-text.ts'
import type { ResourceType } from '../model/resource-type.ts'
import { groupPriority } from './group-priorities.ts'
import { compareVersions } from '../model/version-order.ts'

/** A group version that another server serves. */
export interface DelegatedVersion {
  readonly group: string
  readonly version: string
  readonly groupPriority: number
  readonly versionPriority: number
  /** Items of type APIResourceDiscovery, as the other server last returned them. */
  readonly resources: readonly JsonObject[]
  /** Whether the resources are current. */
  readonly isCurrent: boolean
}

/** A version of a group and its resources. */
export interface ServedVersion {
  readonly name: string
  /** Sorted by plural. Empty for delegated versions. */
  readonly types: readonly ResourceType[]
  readonly delegated: DelegatedVersion | null
}

/** A group, with its preferred version first. */
export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string
  readonly versions: readonly ServedVersion[]
}

interface VersionEntry extends ServedVersion {
  readonly types: ResourceType[]
}

/** The groups of the resources, the core group first, then by priority and name. */
export function servedGroups(
  types: readonly ResourceType[],
  delegated: readonly DelegatedVersion[],
): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, VersionEntry>>()
  const versionsOf = (group: string) => {
    const versions = groups.get(group) ?? new Map<string, VersionEntry>()
    groups.set(group, versions)
    return versions
  }
  for (const type of types.toSorted((a, b) => compareText(a.plural, b.plural))) {
    for (const { name, served } of type.versions) {
      if (!served) continue
      const versions = versionsOf(type.group)
      const entry = versions.get(name) ?? { name, types: [], delegated: null }
      entry.types.push(type)
      versions.set(name, entry)
    }
  }
  for (const version of delegated) {
    const versions = versionsOf(version.group)
    const { version: name } = version
    if (!versions.has(name)) versions.set(name, { name, types: [], delegated: version })
  }
  return sortGroups(groups)
}

function sortGroups(
  groups: ReadonlyMap<string, ReadonlyMap<string, ServedVersion>>,
): readonly ServedGroup[] {
  return [...groups]
    .map(([name, versions]) => ({ name, listed: [...versions.values()] }))
    .map(({ name, listed }) => ({
      name,
      priority: Math.max(
        ...listed.map(({ delegated }) => delegated?.groupPriority ?? groupPriority(name)),
      ),
      versions: listed.toSorted(compareServed),
    }))
    .toSorted(
      (a, b) =>
        Number(b.name === '') - Number(a.name === '') ||
        b.priority - a.priority ||
        compareText(a.name, b.name),
    )
}

const DEFAULT_VERSION_PRIORITY = 100

function compareServed(a: ServedVersion, b: ServedVersion): number {
  const [left, right] = [a, b].map(
    ({ delegated }) => delegated?.versionPriority ?? DEFAULT_VERSION_PRIORITY,
  )
  return (right ?? 0) - (left ?? 0) || compareVersions(a.name, b.name)
}
