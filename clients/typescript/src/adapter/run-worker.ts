import type { Client } from '../client.ts'
import type { AdapterWorkItem, Resource } from '../generated/hyperfleet.ts'
import { backoff } from '../http/backoff.ts'
import { isTransient } from '../http/is-transient.ts'
import { linkedAbort } from '../http/linked-abort.ts'
import { sleep } from '../http/sleep.ts'
import { nothingToRemove } from './nothing-to-remove.ts'
import type { AdapterEvent, Reconcile } from './adapter-options.ts'
import { WorkLeases } from './work-leases.ts'
import { workItem } from './work-item.ts'

const CONCURRENCY = 8
const LEASE_SECONDS = 60
const WAIT_SECONDS = 30
const MIN_PAUSE_MS = 1000

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

/**
 * Runs a worker of an adapter until its signal aborts. It leases due resources, reconciles them and
 * reports the results. Leases are renewed during long work and given back when the worker stops or
 * the work fails. Any number of workers can run: no two of them reconcile one resource.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { client, name, concurrency = CONCURRENCY, leaseSeconds = LEASE_SECONDS } = options
  const link = linkedAbort(options.signal)
  const { signal } = link
  const leases = new WorkLeases(client, { adapter: name, leaseSeconds })
  const finalize = options.finalize ?? nothingToRemove
  const running = new Set<Promise<void>>()
  const start = (item: AdapterWorkItem): void => {
    const run = workItem(item, { ...options, finalize, leases, signal, leaseSeconds }).finally(() =>
      running.delete(run),
    )
    running.add(run)
  }
  try {
    for (let failures = 0; !signal.aborted;) {
      if (running.size >= concurrency) {
        await Promise.race(running)
        continue
      }
      try {
        const { kinds, search, maxAgeSeconds } = options
        const wanted = { kinds, search, maxAgeSeconds, waitSeconds: WAIT_SECONDS }
        const max = Math.min(100, concurrency - running.size)
        const begin = performance.now()
        const items = await leases.lease({ ...wanted, max }, signal)
        for (const item of items) start(item)
        failures = 0
        // The server has not waited, for example because it stops: do not ask again immediately.
        const isEarly = performance.now() - begin < (WAIT_SECONDS * 1000) / 2
        if (items.length === 0 && isEarly) await sleep(MIN_PAUSE_MS * (1 + Math.random()), signal)
      } catch (error) {
        if (signal.aborted) break
        if (!isTransient(error)) throw error
        options.onEvent?.({ type: 'failed', id: null, error })
        failures += 1
        await sleep(backoff({ failures, retryAfter: null, random: Math.random() }), signal)
      }
    }
  } catch (error) {
    if (options.signal?.aborted !== true) throw error
  } finally {
    link.abort(new Error('the worker stopped'))
    await Promise.all(running)
    link.close()
  }
}
