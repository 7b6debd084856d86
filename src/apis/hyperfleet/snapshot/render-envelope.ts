import { formatResourceVersion, type ResourceVersion } from '../../../core/feed/resource-version.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'

/** What stands before the resources of a snapshot. */
export interface Envelope {
  /** Of the root, whose id has the name of its kind. */
  readonly kind: RegisteredKind
  readonly id: string
  /** RFC 3339. */
  readonly time: string
  readonly resourceVersion: ResourceVersion
  readonly liveResources: number
}

/** The beginning of a snapshot's JSON, up to the value of `resources`; ASCII, as ids are. */
export function renderEnvelope({
  kind,
  id,
  time,
  resourceVersion,
  liveResources,
}: Envelope): string {
  return `{"${kind.singular}":"${id}","snapshotTime":"${time}","resourceVersion":"${formatResourceVersion(resourceVersion)}","liveResources":${liveResources},"resources":`
}
