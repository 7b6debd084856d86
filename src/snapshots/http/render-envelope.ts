import { formatResourceVersion, type ResourceVersion } from '../../store/feed/resource-version.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'

/** The fields of a snapshot before its resources. */
export interface Envelope {
  /** The root's kind, which names the field of the ID or name. */
  readonly kind: RegisteredKind
  readonly id: string
  /** The ID or name that the caller used. */
  readonly idOrName: string
  /** RFC 3339. */
  readonly time: string
  readonly resourceVersion: ResourceVersion
  readonly liveResources: number
}

/** The start of a snapshot's JSON, up to the value of `resources`. ASCII only. */
export function renderEnvelope({
  kind,
  id,
  idOrName,
  time,
  resourceVersion,
  liveResources,
}: Envelope): string {
  return `{"${kind.singular}":${JSON.stringify(idOrName)},"id":"${id}","snapshotTime":"${time}","resourceVersion":"${formatResourceVersion(resourceVersion)}","liveResources":${liveResources},"resources":`
}
