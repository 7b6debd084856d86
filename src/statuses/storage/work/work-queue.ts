/** The resources of one kind that an adapter leases. */
export interface WorkQueue {
  readonly adapter: string
  readonly kind: string
  /** Reports older than this are due; null if age does not matter. */
  readonly maxAgeSeconds: number | null
}

/** Why a resource is due. */
export type DueReason = 'NewGeneration' | 'ReportExpired' | 'Deletion' | 'Requested'
