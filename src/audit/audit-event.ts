import type { AuditedOperation } from '../http/requests/audited-operation.ts'

/** The levels of Kubernetes, in ascending order: how much of a request is recorded. */
export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const

export type AuditLevel = (typeof AUDIT_LEVELS)[number]

/** A request in the audit log. Texts are empty if unknown. */
export interface AuditEvent extends AuditedOperation {
  /** When the request arrived. */
  readonly time: Date
  /** Unique; IDs of later events are greater. */
  readonly id: string
  readonly level: AuditLevel
  readonly requestId: string
  /** The user that the caller acted as. */
  readonly impersonatedUser: string
  readonly tenant: string
  readonly sourceAddress: string
  readonly userAgent: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly route: string
  readonly resourceId: string
  readonly status: number
  /**
   * `unknown`: the client closed the connection before the response. `lost` marks a gap: the log could
   * not keep up, and `dropped` events are missing.
   */
  readonly outcome: 'succeeded' | 'denied' | 'failed' | 'unknown' | 'lost'
  readonly code: string
  readonly detail: string
  readonly durationMs: number
  readonly dropped: number
  /** JSON. Null below the level, and for bodies that are not JSON. */
  readonly request: string | null
  readonly response: string | null
  /** The size of the texts and bodies. */
  readonly bytes: number
}

/** An event that marks a gap: a full queue has dropped events since `time`. */
export function gapOf(dropped: number, { time, id }: Pick<AuditEvent, 'time' | 'id'>): AuditEvent {
  return {
    time,
    id,
    dropped,
    outcome: 'lost',
    level: 'Metadata',
    detail: `${dropped} events are missing: the audit log could not keep up`,
    groups: [],
    status: 0,
    durationMs: 0,
    dryRun: false,
    request: null,
    response: null,
    bytes: 0,
    ...UNKNOWN,
  }
}

const UNKNOWN = {
  user: '',
  verb: '',
  plane: '',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  requestId: '',
  impersonatedUser: '',
  tenant: '',
  sourceAddress: '',
  userAgent: '',
  method: '',
  path: '',
  route: '',
  resourceId: '',
  code: '',
} as const
