import type { Client } from '../client.ts'
import type { Resource } from '../generated/hyperfleet.ts'
import type { AdapterEvent, Reconcile } from './adapter-options.ts'

/** Options of a worker. */
export interface WorkerOptions {
  readonly client: Client
  /** The name of the adapter in its reports. All its workers share it. */
  readonly name: string
  /** Names of kinds, such as `Cluster`. The default is every kind that requires the adapter. */
  readonly kinds?: readonly string[] | undefined
  /** Brings the outside world to the state in `spec`. */
  readonly reconcile: Reconcile<Resource>
  /**
   * Removes everything that belongs to a deleted resource. Without it, the adapter has nothing to
   * remove and finalizes every deletion immediately.
   */
  readonly finalize?: Reconcile<Resource> | undefined
  /** A TSL expression: only matching resources are reconciled. */
  readonly search?: string | undefined
  /** Seconds after which a report is due again. Without it, reports are not repeated. */
  readonly maxAgeSeconds?: number | undefined
  /** Seconds until another worker may take over the work of a crashed one. The default is 60. */
  readonly leaseSeconds?: number | undefined
  /** Resources that are reconciled at the same time. The default is 8. */
  readonly concurrency?: number | undefined
  readonly onEvent?: ((event: AdapterEvent<Resource>) => void) | undefined
  /** Stops the worker: reconciliations in progress receive it and are awaited. */
  readonly signal?: AbortSignal | undefined
}
