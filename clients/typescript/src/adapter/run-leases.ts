import type { AdapterWorkItem } from '../generated/hyperfleet.ts'
import { ApiError } from '../errors/api-error.ts'
import { backoff } from '../http/backoff.ts'
import { isTransient } from '../http/is-transient.ts'
import { linkedAbort } from '../http/linked-abort.ts'
import { sleep } from '../http/sleep.ts'
import { nothingToRemove } from './nothing-to-remove.ts'
import type { WorkerOptions } from './worker-options.ts'
import { WorkLeases } from './work-leases.ts'
import { type DelayAfter, workItem } from './work-item.ts'

const CONCURRENCY = 8
const LEASE_SECONDS = 60
const WAIT_SECONDS = 30
const MIN_PAUSE_MS = 1000

/** Leases due resources and works on them until the signal aborts. */
export async function runLeases(options: WorkerOptions, delayAfter: DelayAfter): Promise<void> {
  const { client, name, concurrency = CONCURRENCY, leaseSeconds = LEASE_SECONDS } = options
  const link = linkedAbort(options.signal)
  const { signal } = link
  const leases = new WorkLeases(client, { adapter: name, leaseSeconds })
  const finalize = options.finalize ?? nothingToRemove
  const running = new Set<Promise<void>>()
  const start = (item: AdapterWorkItem): void => {
    const run = workItem(item, {
      ...options,
      finalize,
      leases,
      signal,
      leaseSeconds,
      delayAfter,
    }).finally(() => running.delete(run))
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
        // Other errors, such as those of the function that returns the token, may pass, too.
        if (error instanceof ApiError && !isTransient(error)) throw error
        options.onEvent?.({ type: 'failed', id: null, error })
        failures += 1
        const retryAfter = error instanceof ApiError ? error.retryAfter : null
        await sleep(backoff({ failures, retryAfter, random: Math.random() }), signal)
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
