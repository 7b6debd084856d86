import type { ResourceVersion } from '../../feed/resource-version.ts'
import type { ChangeType } from '../../model/change.ts'
import type { StatusRecord } from '../../model/status-record.ts'
import type { ReadResource } from '../../model/resource.ts'

/** What is watched: a resource, or an adapter's report on one. */
export type Watched =
  | { readonly subject: 'resource'; readonly resource: ReadResource }
  | { readonly subject: 'status'; readonly status: StatusRecord }

/** What a watch tells of one resource or report. */
export interface WatchEvent {
  readonly type: ChangeType
  readonly watched: Watched
  /** Of the change; null for what is told as the state from which a watch begins. */
  readonly revision: bigint | null
}

/** Events that are told at once. Watches of the same are told the same object. */
export interface WatchBatch {
  /** In the order of the log. */
  readonly events: readonly WatchEvent[]
  /** What the revisions are of. */
  readonly epoch: string
  /** The changes that the events are made of: batches with the same source share its memory. */
  readonly source: object
  /** About how many bytes the source takes. */
  readonly size: number
}

/** Who is told; nothing here may throw but `ready`. */
export interface Watcher {
  /** Aborted when nobody listens any more. */
  readonly signal: AbortSignal
  tell(batch: WatchBatch): void
  /** All changes up to here have been told. */
  passed(token: ResourceVersion): void
  /** The state from which the watch begins has been told as of this token. */
  stateTold(token: ResourceVersion): void
  /** Nothing more can be told. */
  fail(error: unknown): void
  /** Resolves when more can be taken; rejects where nobody listens any more. */
  ready(): Promise<void>
}
