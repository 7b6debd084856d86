import type { ApiObject } from '../../model/api-object.ts'
import { KubeError } from '../../errors/kube-error.ts'
import type { PlaneClient, ResourceName, Selection } from '../client/plane-client.ts'
import { unlessAborted } from '../../../lib/async/unless-aborted.ts'
import { type Backoff, backoffDelay } from './backoff.ts'
import { InformerStore, type StoreChange } from './informer-store.ts'
import { type Timers, wait } from './timers.ts'

interface Options {
  readonly client: PlaneClient
  readonly resource: ResourceName
  readonly selection?: Selection
  readonly timers: Timers
  readonly random: () => number
  /** Delays between failed requests. */
  readonly backoff?: Backoff
  /** Receives each change of the store, first one addition per object. Must not throw. */
  readonly onChange: (change: StoreChange) => void
  /** Receives failures; the informer tries again. */
  readonly onError: (error: unknown) => void
}

const BACKOFF: Backoff = { baseMs: 800, maxMs: 30_000 }

/** The objects of a resource in memory, which a list fills and a watch keeps current. */
export interface Informer extends AsyncDisposable {
  /** Resolves when the store is complete for the first time, or when the informer is disposed. */
  readonly synced: Promise<void>
  /** Undefined if the object does not exist. */
  get(namespace: string, name: string): ApiObject | undefined
  readonly objects: readonly ApiObject[]
}

/**
 * Lists, then watches from the list's resource version. A watch that ends continues at its last
 * version. If that version has expired, the informer lists again and reports the objects that
 * disappeared as deleted.
 */
export function startInformer(options: Options): Informer {
  const stopped = new AbortController()
  const store = new InformerStore(options.onChange)
  let markSynced = (): void => undefined
  const synced = new Promise<void>((resolve) => {
    markSynced = resolve
  })
  const ended = run(options, store, { signal: stopped.signal, markSynced })
  return {
    synced,
    get: (namespace, name) => store.get(namespace, name),
    get objects() {
      return store.objects
    },
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
      markSynced()
    },
  }
}

/** Waits until the stores are complete for the first time, or until the signal is aborted. */
export async function untilSynced(
  informers: readonly Informer[],
  signal: AbortSignal,
): Promise<void> {
  const synced = Promise.all(informers.map((informer) => informer.synced))
  await unlessAborted(synced, signal).catch(() => undefined)
}

interface Run {
  readonly signal: AbortSignal
  readonly markSynced: () => void
}

async function run(options: Options, store: InformerStore, { signal, markSynced }: Run) {
  /** Null if the next step is a list. */
  let version: string | null = null
  let failures = 0
  while (!signal.aborted) {
    try {
      if (version === null) {
        version = await fill(options, store, signal)
        markSynced()
      }
      for await (const event of watch(options, version, signal)) {
        failures = 0
        version = event.type === 'BOOKMARK' ? event.resourceVersion : store.apply(event)
      }
    } catch (error) {
      if (signal.aborted) return
      const isExpired = error instanceof KubeError && error.code === 410
      if (isExpired) version = null
      else options.onError(error)
    }
    // A server that ends every watch at its start must not be asked in a tight loop.
    failures += 1
    await pauseAfter(options, failures, signal)
  }
}

function watch({ client, resource, selection }: Options, version: string, signal: AbortSignal) {
  return client.watch(resource, { ...selection, resourceVersion: version, signal })
}

async function fill(
  { client, resource, selection }: Options,
  store: InformerStore,
  signal: AbortSignal,
): Promise<string> {
  let version: string | null = null
  const objects: ApiObject[] = []
  for await (const page of client.pages(resource, { ...selection })) {
    signal.throwIfAborted()
    version ??= page.metadata.resourceVersion
    objects.push(...page.items)
  }
  store.replace(objects)
  return version ?? ''
}

function pauseAfter(
  { timers, random, backoff = BACKOFF }: Options,
  failures: number,
  signal: AbortSignal,
): Promise<void> {
  return wait(timers, backoffDelay(backoff, failures, random), signal)
}
