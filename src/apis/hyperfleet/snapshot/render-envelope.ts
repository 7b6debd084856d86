import { formatResourceVersion, type ResourceVersion } from '../../../core/feed/resource-version.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'

/** The fields of a snapshot before its resources. */
export interface Envelope {
  /** The root's kind, which names the field of its ID. */
  readonly kind: RegisteredKind
  readonly id: string
  /** RFC 3339. */
  readonly time: string
  readonly resourceVersion: ResourceVersion
  readonly liveResources: number
}

/** The start of a snapshot's JSON, up to the value of `resources`. ASCII only. */
export function renderEnvelope({
  kind,
  id,
  time,
  resourceVersion,
  liveResources,
}: Envelope): string {
  return `{"${kind.singular}":"${id}","snapshotTime":"${time}","resourceVersion":"${formatResourceVersion(resourceVersion)}","liveResources":${liveResources},"resources":`
}
