import { formatToken, type Token } from '../../feed/token.ts'

/** What stands before the resources of a snapshot. */
export interface Envelope {
  /** Id of the root. */
  readonly cluster: string
  /** RFC 3339. */
  readonly time: string
  readonly position: Token
  readonly liveResources: number
}

/** The beginning of a snapshot's JSON, up to the value of `resources`; ASCII, as ids are. */
export function renderEnvelope({ cluster, time, position, liveResources }: Envelope): string {
  return `{"cluster":"${cluster}","snapshotTime":"${time}","resourceVersion":"${formatToken(position)}","liveResources":${liveResources},"resources":`
}
