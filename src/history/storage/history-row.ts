import type { JsonObject } from '../../lib/json/json.ts'

export type HistoryEntryType = 'created' | 'updated' | 'deleted' | 'removed' | 'reported'

/** The parts of a condition that people read. */
interface StoredState {
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

/** A condition whose status, reason or message changed. */
interface StoredDifference {
  readonly type: string
  readonly old: StoredState | null
  readonly new: StoredState | null
}

/** Something that happened to a resource. */
export interface HistoryRow {
  readonly time: Date
  readonly type: HistoryEntryType
  readonly kind: string
  readonly tenant: string
  readonly owner_id: string
  readonly name: string
  /** The generation after the change. */
  readonly generation: number
  /** The user, or the adapter of a report; '' if unknown. */
  readonly author: string
  /** The reason of a forced deletion; '' for other changes. */
  readonly reason: string
  /** Those of spec, labels, annotations and references that changed; null if none. */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  readonly conditions: readonly StoredDifference[] | null
}
