import type { ResourceVersion } from '../../feed/resource-version.ts'
import type { ChangeType } from '../../model/change.ts'
import type { StatusRecord } from '../../model/status-record.ts'
import type { ReadResource } from '../../model/resource.ts'

/** The object of an event: a resource, or a report on one. */
export type Watched =
  | { readonly subject: 'resource'; readonly resource: ReadResource }
  | { readonly subject: 'status'; readonly status: StatusRecord }

/** An event about one resource or report. */
export interface WatchEvent {
  readonly type: ChangeType
  readonly watched: Watched
  /** Revision of the change; null for the initial state of a watch. */
  readonly revision: bigint | null
}

/** Events that are sent together. Watches with the same filter share the batch. */
export interface WatchBatch {
  /** In the order of the log. */
  readonly events: readonly WatchEvent[]
  /** Epoch of the revisions. */
  readonly epoch: string
  /** The changes behind the events: batches with the same source share its memory. */
  readonly source: object
  /** Approximate size of the source in bytes. */
  readonly size: number
}

/** Receives events. Only `ready` may throw. */
export interface Watcher {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  send(batch: WatchBatch): void
  /** All changes up to this version have been sent. */
  passed(token: ResourceVersion): void
  /** The initial state has been sent, at this version. */
  initialStateSent(token: ResourceVersion): void
  /** The watch cannot continue. */
  fail(error: unknown): void
  /** Resolves when the watcher can take more events. Rejects after a disconnect. */
  ready(): Promise<void>
}
