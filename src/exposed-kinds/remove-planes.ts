import type { Logger } from 'pino'
import type { Feed } from '../store/feed/feed.ts'
import { repeat } from '../lib/async/repeat.ts'
import { pause } from '../lib/async/pause.ts'
import type { Change } from '../store/model/change.ts'
import type { ObjectStore } from '../store/objects/object-store.ts'
import type { Database } from '../store/database/database.ts'
import { orphanedPlanes } from '../store/resources/orphaned-planes.ts'
import { PLANE_KIND, ROOT_PLANE } from './plane-directory.ts'

/** Between two searches for planes whose cluster was removed while no process listened. */
const SWEEP_MS = 600_000
/** The most planes that one statement finds or removes. */
const BATCH_SIZE = 1000
/** The most planes that wait for their removal; the sweep finds the others. */
const MAX_WAITING = 100_000
/** Pause after a failed removal. */
const RETRY_MS = 1000

interface Options {
  readonly database: Database
  /** The feed of clusters. */
  readonly feed: Pick<Feed, 'broadcaster'>
  readonly store: Pick<ObjectStore, 'removePlanes'>
  readonly log: Logger
}

/** Removes the planes of removed clusters: ends their watches and deletes their objects. */
export function removePlanes({ database, feed, store, log }: Options): AsyncDisposable {
  const { broadcaster } = feed
  const onError = (error: unknown): void => log.warn({ err: error }, 'the removal of planes waits')
  const removals = createRemovals(store, onError)
  const sweep = repeat({ pauseMs: SWEEP_MS, onError }, async () => {
    for (;;) {
      const planes = await orphanedPlanes(database, ROOT_PLANE.plane, BATCH_SIZE)
      if (planes.length > 0) await store.removePlanes(planes)
      if (planes.length < BATCH_SIZE) return
    }
  })
  const listen = (): Disposable =>
    broadcaster.subscribe({
      onChanges: (changes) => removals.add(changes.filter(removesCluster).map(idOf)),
      // The sweep finds the planes of removals that were missed.
      onLost: () => {
        subscription = listen()
      },
    })
  let subscription = listen()
  return {
    [Symbol.asyncDispose]: async () => {
      subscription[Symbol.dispose]()
      await sweep[Symbol.asyncDispose]()
      await removals[Symbol.asyncDispose]()
    },
  }
}

/** Removes planes in batches, one after another. A failed batch is tried again. */
function createRemovals(store: Options['store'], onError: (error: unknown) => void) {
  const stopped = new AbortController()
  let waiting: readonly string[] = []
  let running: Promise<void> | null = null
  const run = async (): Promise<void> => {
    while (waiting.length > 0 && !stopped.signal.aborted) {
      const batch = waiting.slice(0, BATCH_SIZE)
      try {
        await store.removePlanes(batch)
        waiting = waiting.slice(batch.length)
      } catch (error) {
        onError(error)
        await pause(RETRY_MS, stopped.signal)
      }
    }
    running = null
  }
  return {
    add: (planes: readonly string[]): void => {
      if (planes.length === 0) return
      waiting = [...waiting, ...planes].slice(0, MAX_WAITING)
      running ??= run()
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      stopped.abort()
      await running
    },
  }
}

type Removal = Extract<Change, { subject: 'resource' }>

function removesCluster(change: Change): change is Removal {
  return (
    change.subject === 'resource' &&
    change.type === 'DELETED' &&
    change.resource.kind === PLANE_KIND
  )
}

function idOf({ resource }: Removal): string {
  return resource.id
}
