import type { TenantScope } from '../../access/tenant.ts'

/** The resources of one kind that an adapter leases, as one request sees them. */
export interface WorkQueue {
  readonly adapter: string
  readonly kind: string
  /** Whether the kind requires the adapter. */
  readonly isRequired: boolean
  /** Reports older than this are due; null if age does not matter. */
  readonly maxAgeSeconds: number | null
  /** The tenant whose reports `maxAgeSeconds` concerns; null for all tenants. */
  readonly tenant: TenantScope
}

/** Why a resource is due. */
export type DueReason = 'NewGeneration' | 'ReportExpired' | 'Deletion' | 'Requested'
