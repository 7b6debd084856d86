import type { Client } from '../client.ts'
import type { Cluster, NodePool } from '../generated/hyperfleet.ts'
import type { DiscardReason } from '../resources/statuses.ts'
import type { AdapterResult } from './adapter-result.ts'

export const HEARTBEAT_MS = 60_000
export const CONCURRENCY = 8

/** The kinds that adapters can serve, and their resources. */
export interface AdapterKinds {
  readonly clusters: Cluster
  readonly nodepools: NodePool
}

/** An observation of a running adapter, for logs and metrics. */
export type AdapterEvent<T> =
  | {
      /** The server received a report. */
      readonly type: 'reported'
      readonly resource: T
      readonly result: AdapterResult
      /** Why the server did not need the report; null if it stored it. */
      readonly discarded: DiscardReason | null
    }
  | {
      /** A reconciliation, a report or a request for work failed and will be repeated. */
      readonly type: 'failed'
      /** The ID of the resource; null for a request for work. */
      readonly id: string | null
      readonly error: unknown
    }

/** The work of an adapter for one resource. It must succeed when it is repeated. */
export type Reconcile<T> = (
  resource: T,
  context: { readonly signal: AbortSignal },
) => AdapterResult | Promise<AdapterResult>

/** Options of an adapter. */
export interface AdapterOptions<K extends keyof AdapterKinds> {
  readonly client: Client
  /** The name of the adapter in its reports. */
  readonly name: string
  readonly kind: K
  /** Brings the outside world to the state in `spec`. */
  readonly reconcile: Reconcile<AdapterKinds[K]>
  /**
   * Removes everything that belongs to a deleted resource. Without it, the adapter has nothing to
   * remove and finalizes every deletion immediately.
   */
  readonly finalize?: Reconcile<AdapterKinds[K]> | undefined
  /** A TSL expression: only matching resources are reconciled. */
  readonly search?: string | undefined
  /**
   * Milliseconds between repeated reconciliations and reports. The default is 60 000. The server
   * counts in whole seconds, at least 1.
   */
  readonly heartbeat?: number | undefined
  /** Resources that are reconciled at the same time. The default is 8. */
  readonly concurrency?: number | undefined
  /** Seconds until another process may take over the work of a crashed one. The default is 60. */
  readonly leaseSeconds?: number | undefined
  readonly onEvent?: ((event: AdapterEvent<AdapterKinds[K]>) => void) | undefined
  /** Stops the adapter; reconciliations in progress receive it and are awaited. */
  readonly signal?: AbortSignal | undefined
}
