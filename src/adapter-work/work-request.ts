import type { Sql } from 'sql-template-tag'
import type { TenantScope } from '../access/tenant.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { LeasedRow } from './storage/claim-work.ts'

/** A kind to lease resources of. */
export interface RequestedKind {
  readonly kind: RegisteredKind
  /** Only the resources that declare the adapter, which their kind does not require. */
  readonly declaredOnly: boolean
  /** The compiled search; null without one. */
  readonly filter: Sql | null
}

/** A request for due work. */
export interface WorkRequest {
  readonly adapter: string
  /** At least one. */
  readonly kinds: readonly RequestedKind[]
  readonly tenant: TenantScope
  /** The text of the search; null without one. */
  readonly search: string | null
  readonly max: number
  readonly leaseSeconds: number
  /** Reports older than this are due; null if age does not matter. */
  readonly maxAgeSeconds: number | null
  /** How long to wait for due work. */
  readonly waitMs: number
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/** The work that one attempt has leased. */
export interface LeasedWork {
  readonly leased: readonly LeasedRow[]
  /** Milliseconds until more work is due by its time; null if no time is set. */
  readonly nextMs: number | null
}
