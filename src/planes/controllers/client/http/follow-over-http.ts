import type { ApiObject } from '../../../model/api-object.ts'
import { lazy } from '../../../../lib/lazy.ts'
import { startInformer, type Informer, untilSynced } from '../../runtime/informer.ts'
import type { StoreChange } from '../../runtime/informer-store.ts'
import { systemTimers, type Timers, wait } from '../../runtime/timers.ts'
import type { FleetChange, FleetSubscriber } from '../fleet-client.ts'
import type { PlaneClient, ServedResource } from '../plane-client.ts'
import { storageName } from '../resource-names.ts'
import { jsonText } from '../../../../lib/json/json-text.ts'

/** Pause between reads of the resources that planes serve. */
const DISCOVERY_MS = 10_000

interface Options {
  readonly clients: readonly PlaneClient[]
  readonly resources: readonly string[] | '*'
  readonly subscriber: FleetSubscriber
  readonly onError: (error: unknown) => void
  /** Ends the wait for the first lists. */
  readonly signal: AbortSignal
  readonly random?: () => number
  readonly timers?: Timers
}

type Followed = Map<string, Informer>

/**
 * Follows resources with one informer for each plane and resource. Objects that exist at the start
 * are not reported. New resources are followed after the next read of the discovery documents, and
 * their objects are reported as added.
 */
export async function followOverHttp(options: Options): Promise<AsyncDisposable> {
  const { timers = systemTimers } = options
  const stopped = new AbortController()
  const followed: Followed = new Map()
  const first = await refresh(options, followed, 'silent')
  await untilSynced(first, options.signal)

  async function repeat(): Promise<void> {
    while (!stopped.signal.aborted) {
      await wait(timers, DISCOVERY_MS, stopped.signal)
      if (!stopped.signal.aborted) await refresh(options, followed, 'reported')
    }
  }

  const ended = repeat()
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
      await Promise.all([...followed.values()].map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

/** Starts an informer for each resource that has none, and stops those of removed resources. */
async function refresh(
  options: Options,
  followed: Followed,
  existing: 'silent' | 'reported',
): Promise<readonly Informer[]> {
  const { clients, resources, onError } = options
  const started: Informer[] = []
  for (const client of clients) {
    try {
      const served = (await client.resources()).filter(
        (resource) =>
          resource.verbs.includes('watch') &&
          (resources === '*' || resources.includes(storageName(resource))),
      )
      const prefix = `${client.plane} `
      const names = new Set(served.map((resource) => prefix + storageName(resource)))
      for (const [key, informer] of followed) {
        if (!key.startsWith(prefix) || names.has(key)) continue
        followed.delete(key)
        await informer[Symbol.asyncDispose]()
      }
      for (const resource of served) {
        const key = prefix + storageName(resource)
        if (followed.has(key)) continue
        const informer = follow(options, { client, resource, existing })
        followed.set(key, informer)
        started.push(informer)
      }
    } catch (error) {
      onError(error)
    }
  }
  return started
}

interface Place {
  readonly client: PlaneClient
  readonly resource: ServedResource
  readonly existing: 'silent' | 'reported'
}

function follow(options: Options, { client, resource, existing }: Place): Informer {
  const { subscriber, onError, random = Math.random, timers = systemTimers } = options
  let isSilent = existing === 'silent'
  const informer = startInformer({
    client,
    resource,
    timers,
    random,
    onError,
    onChange: (change) => {
      if (!isSilent) subscriber.onChanges([fleetChange(client.plane, resource, change)])
    },
  })
  void informer.synced.then(() => {
    isSilent = false
  })
  return informer
}

const TYPES = { added: 'ADDED', updated: 'MODIFIED', deleted: 'DELETED' } as const

function fleetChange(plane: string, resource: ServedResource, change: StoreChange): FleetChange {
  const { object }: { readonly object: ApiObject } = change
  const { namespace = '', name = '', uid = '' } = object.metadata
  const text = lazy(() => jsonText(object))
  return {
    plane,
    resource: storageName(resource),
    namespace,
    name,
    uid,
    type: TYPES[change.type],
    get text() {
      return text()
    },
    object: () => object,
  }
}
