import { isTransient } from '../http/is-transient.ts'
import { linkedAbort } from '../http/linked-abort.ts'
import { sleep } from '../http/sleep.ts'
import type { ResourceWatchOptions } from '../resources/watched-resources.ts'
import type { AnyResource } from '../resources/any-resource.ts'
import type { WatchEvent } from '../watch/watch-event.ts'
import {
  type AdapterKinds,
  type AdapterOptions,
  CONCURRENCY,
  HEARTBEAT_MS,
} from './adapter-options.ts'
import { DueQueue } from './due-queue.ts'
import { initialDelay } from './initial-delay.ts'
import { nothingToRemove } from './nothing-to-remove.ts'
import { Reconciler } from './reconciler.ts'

const RETRY_MS = 1_000

/** The parts of a collection that adapters use. */
interface AdapterCollection<T> {
  get(id: string, options: { readonly signal: AbortSignal }): Promise<T>
  watch(options: ResourceWatchOptions): AsyncIterable<WatchEvent<T>>
}

/**
 * Runs an adapter that finds its work by a watch, for servers that permit no leases. Every process
 * of the adapter does all the work.
 */
export async function runWatched<K extends keyof AdapterKinds>(
  options: AdapterOptions<K>,
): Promise<void> {
  const { client, kind } = options
  // The collections differ per kind, which the compiler cannot relate to the type parameter.
  const collections: {
    readonly [Kind in keyof AdapterKinds]: AdapterCollection<AdapterKinds[Kind]>
  } = { clusters: client.clusters, nodepools: client.nodepools }
  await run(collections[kind], options)
}

async function run<K extends keyof AdapterKinds>(
  collection: AdapterCollection<AdapterKinds[K]>,
  options: AdapterOptions<K>,
): Promise<void> {
  const { heartbeat = HEARTBEAT_MS, concurrency = CONCURRENCY, onEvent, client } = options
  const link = linkedAbort(options.signal)
  const { signal } = link
  const reconciler = new Reconciler<AdapterKinds[K]>({
    adapter: options.name,
    read: (id) => collection.get(id, { signal }),
    statuses: client.statuses,
    reconcile: options.reconcile,
    finalize: options.finalize ?? nothingToRemove,
    heartbeat,
    emit: (event) => onEvent?.(event),
    signal,
    now: () => client.serverTime(),
  })
  const queue = new DueQueue((id) => reconciler.run(id), concurrency)
  const schedule = { adapter: options.name, heartbeat }
  try {
    for await (const event of events(collection, options)) {
      if ('object' in event) handle(event, { reconciler, queue, schedule })
    }
  } catch (error) {
    if (options.signal?.aborted !== true) throw error
  } finally {
    link.abort(new Error('the adapter stopped'))
    await queue.close()
    link.close()
  }
}

interface Work<T extends AnyResource> {
  readonly reconciler: Reconciler<T>
  readonly queue: DueQueue
  readonly schedule: { readonly adapter: string; readonly heartbeat: number }
}

function handle<T extends AnyResource>(
  { type, object }: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T },
  { reconciler, queue, schedule }: Work<T>,
): void {
  if (type === 'DELETED') {
    reconciler.forget(object.id)
    queue.forget(object.id)
    return
  }
  if (!queue.has(object.id)) {
    const delay = initialDelay(object, { ...schedule, random: Math.random() })
    if (delay > 0) reconciler.skip(object)
    queue.schedule(object.id, delay)
  } else if (!reconciler.hasReported(object)) {
    // Reports change the resource too, but not its generation.
    queue.schedule(object.id, 0)
  }
}

/** The events of a watch that also waits for a server that is not up yet. */
async function* events<K extends keyof AdapterKinds>(
  collection: AdapterCollection<AdapterKinds[K]>,
  { search, signal, onEvent }: AdapterOptions<K>,
): AsyncGenerator<WatchEvent<AdapterKinds[K]>, void, undefined> {
  const onRetry = (error: unknown) => onEvent?.({ type: 'failed', id: null, error })
  for (;;) {
    try {
      yield* collection.watch({ search, signal, onRetry })
    } catch (error) {
      if (!isTransient(error)) throw error
      onRetry(error)
      await sleep(RETRY_MS, signal)
    }
  }
}
