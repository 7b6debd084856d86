import { sharedAbort } from '../../../lib/async/shared-abort.ts'
import { isPlaneGone } from '../client/api-failures.ts'
import type { ControllerMetrics } from './controller-metrics.ts'
import type { WorkQueue } from './work-queue.ts'

interface Options<Item> {
  /** Names the controller in metrics; 'controller' if absent. */
  readonly name?: string
  readonly metrics?: ControllerMetrics | undefined
  readonly queue: WorkQueue<Item>
  /** The most items that run at the same time. */
  readonly concurrency: number
  /**
   * Brings the world closer to the item's goal. Failed items run again after a backoff, unless
   * their plane no longer exists.
   */
  readonly reconcile: (item: Item, signal: AbortSignal) => Promise<void>
  readonly onError: (error: unknown, item: Item) => void
}

/** Reconciles the items of a queue. Disposing it waits for the running items. */
export function startControlLoop<Item>(options: Options<Item>): AsyncDisposable {
  const stopped = sharedAbort()
  const exposed = options.metrics?.exposeQueue(nameOf(options), options.queue)
  const workers = Array.from({ length: options.concurrency }, () => work(options, stopped.signal))
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      exposed?.[Symbol.dispose]()
      options.queue[Symbol.dispose]()
      await Promise.all(workers)
    },
  }
}

async function work<Item>(options: Options<Item>, signal: AbortSignal): Promise<void> {
  const { metrics, queue, reconcile, onError } = options
  const name = nameOf(options)
  const run =
    metrics?.traced ?? ((_name: string, reconciliation: () => Promise<void>) => reconciliation())
  for (let item = await queue.take(); item !== null; item = await queue.take()) {
    if (signal.aborted) return
    try {
      const current = item
      await run(name, () => reconcile(current, signal))
      metrics?.reconciled(name, 'succeeded')
      queue.finish(item, 'succeeded')
    } catch (error) {
      if (isPlaneGone(error)) {
        queue.finish(item, 'succeeded')
        continue
      }
      metrics?.reconciled(name, 'failed')
      if (!signal.aborted) onError(error, item)
      queue.finish(item, 'failed')
    }
  }
}

function nameOf({ name = 'controller' }: { readonly name?: string }): string {
  return name
}
