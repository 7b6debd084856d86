import type { ResourceName, ServedResource } from './plane-client.ts'

/** `configmaps` or `fleets.kplane.dev`, as storage names a resource. */
export function storageName({ group, plural }: ResourceName): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** `v1` or `kplane.dev/v1`. */
export function apiVersionOf({ group, version }: ResourceName): string {
  return group === '' ? version : `${group}/${version}`
}

/** The group of an apiVersion; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}

/** The served resource with a storage name; null if there is none. */
export function findServed(
  resources: readonly ServedResource[],
  resource: string,
): ServedResource | null {
  return resources.find((each) => storageName(each) === resource) ?? null
}
