import type { JsonObject } from '../../lib/json/json.ts'
import type { ServedGroup } from './served-groups.ts'

function groupFields({ name, versions }: ServedGroup) {
  const listed = versions.map((version) => ({
    groupVersion: `${name}/${version.name}`,
    version: version.name,
  }))
  const [preferredVersion] = listed
  return { name, versions: listed, ...(preferredVersion && { preferredVersion }) }
}

/** The document of `/apis/{group}`. */
export function apiGroup(group: ServedGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) }
}

/** The document of `/apis`. */
export function apiGroupList(groups: readonly ServedGroup[]): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.filter(({ name }) => name !== '').map(groupFields),
  }
}

/** The document of `/api`. */
export function apiVersions(groups: readonly ServedGroup[]): JsonObject {
  const core = groups.find(({ name }) => name === '')
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ name }) => name),
    serverAddressByClientCIDRs: [],
  }
}
