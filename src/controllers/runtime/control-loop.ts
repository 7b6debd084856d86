import { isPlaneGone } from '../client/api-failures.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { WorkQueue } from './work-queue.ts'

interface Options<Item> {
  readonly queue: WorkQueue<Item>
  /** The most items that run at the same time. */
  readonly concurrency: number
  readonly rateLimiter?: RateLimiter
  /**
   * Brings the world closer to the item's goal. Failed items run again after a backoff, unless
   * their plane no longer exists.
   */
  readonly reconcile: (item: Item, signal: AbortSignal) => Promise<void>
  readonly onError: (error: unknown, item: Item) => void
}

/** Reconciles the items of a queue. Disposing it waits for the running items. */
export function startControlLoop<Item>(options: Options<Item>): AsyncDisposable {
  const stopped = new AbortController()
  const workers = Array.from({ length: options.concurrency }, () => work(options, stopped.signal))
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      options.queue[Symbol.dispose]()
      await Promise.all(workers)
    },
  }
}

async function work<Item>(options: Options<Item>, signal: AbortSignal): Promise<void> {
  const { queue, rateLimiter, reconcile, onError } = options
  for (let item = await queue.take(); item !== null; item = await queue.take()) {
    await rateLimiter?.take(signal)
    if (signal.aborted) return
    try {
      await reconcile(item, signal)
      queue.finish(item, 'succeeded')
    } catch (error) {
      if (isPlaneGone(error)) {
        queue.finish(item, 'succeeded')
        continue
      }
      if (!signal.aborted) onError(error, item)
      queue.finish(item, 'failed')
    }
  }
}
