import type { ApiObject } from '../../../../planes/model/api-object.ts'
import type {
  PlaneClient,
  ResourceName,
} from '../../../../planes/controllers/client/plane-client.ts'
import { readOrNull } from '../../../../planes/controllers/client/read-or-null.ts'

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
