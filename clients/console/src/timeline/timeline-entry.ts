import type { AuditEvent } from '../../../typescript/src/index.ts'
import type { IconName } from '../design/icon.tsx'

/** The logs that a timeline merges. */
export type TimelineLog = 'change' | 'event' | 'audit'

/** The outcome of a request. */
export type Outcome = AuditEvent['outcome']

/** The object of an entry. */
export interface Subject {
  readonly label: string
  /** Its page below `/console`; null if it has none. */
  readonly to: string | null
}

/** One line of a timeline: who did what, where, and with which outcome. */
export interface TimelineEntry {
  /** Unique in a timeline. */
  readonly key: string
  readonly log: TimelineLog
  readonly time: string
  readonly icon: IconName
  /** A user, an adapter, a controller or a field manager; empty if unknown. */
  readonly who: string
  readonly action: string
  /** Null if the entry is not about one object. */
  readonly subject: Subject | null
  /** Behind the time, such as the generation or the address of the client. */
  readonly note: string
  readonly details: readonly string[]
  /** The values that the filter `what` compares: the name first, then IDs, plurals and verbs. */
  readonly names: readonly string[]
  /** The values that the filter `where` compares: planes, namespaces and addresses. */
  readonly places: readonly string[]
  /** Null for events, which are no requests. */
  readonly outcome: Outcome | null
}
