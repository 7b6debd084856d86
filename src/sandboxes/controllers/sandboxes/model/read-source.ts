import { type PlaneClient, readOrNull, type ResourceName } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'

const SOURCES: Readonly<Record<'secret' | 'configMap', ResourceName>> = {
  secret: { group: '', version: 'v1', plural: 'secrets' },
  configMap: { group: '', version: 'v1', plural: 'configmaps' },
}

interface Source {
  readonly type: 'secret' | 'configMap'
  readonly name: string
}

/** Reads a Secret or ConfigMap of a sandbox's namespace; null if it does not exist. */
export function readSource(
  client: PlaneClient,
  namespace: string,
  { type, name }: Source,
): Promise<ApiObject | null> {
  return readOrNull(client, SOURCES[type], { namespace, name })
}
