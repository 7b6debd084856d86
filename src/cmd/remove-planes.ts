import type { Logger } from 'pino'
import type { Feed } from '../core/feed/feed.ts'
import { repeat } from '../core/feed/repeat.ts'
import type { Change } from '../core/model/change.ts'
import type { ObjectStore } from '../core/objects/object-store.ts'
import type { Database } from '../core/storage/database/database.ts'
import { orphanedPlanes } from '../core/storage/resources/orphaned-planes.ts'
import { PLANE_KIND, ROOT_PLANE } from './plane-directory.ts'

/** Between two searches for planes whose cluster was removed while no process listened. */
const SWEEP_MS = 600_000
/** The most planes that one statement finds. */
const SWEEP_SIZE = 100

interface Options {
  readonly database: Database
  /** The feed of clusters. */
  readonly feed: Pick<Feed, 'broadcaster'>
  readonly store: Pick<ObjectStore, 'removePlane'>
  readonly log: Logger
}

/** Removes the planes of removed clusters: ends their watches and deletes their objects. */
export function removePlanes({ database, feed, store, log }: Options): AsyncDisposable {
  const { broadcaster } = feed
  const onError = (error: unknown): void => log.warn({ err: error }, 'the removal of planes waits')
  /** Removals run one after another. */
  let removals: Promise<void> = Promise.resolve()
  const remove = (plane: string): void => {
    removals = removals.then(() => store.removePlane(plane)).catch(onError)
  }
  const sweep = repeat(SWEEP_MS, onError, async () => {
    for (;;) {
      const planes = await orphanedPlanes(database, ROOT_PLANE.plane, SWEEP_SIZE)
      for (const plane of planes) await store.removePlane(plane)
      if (planes.length < SWEEP_SIZE) return
    }
  })
  const listen = (): Disposable =>
    broadcaster.subscribe({
      onChanges: (changes) => {
        for (const change of changes) if (removesCluster(change)) remove(change.resource.id)
      },
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
      await removals
    },
  }
}

function removesCluster(change: Change): change is Extract<Change, { subject: 'resource' }> {
  return (
    change.subject === 'resource' &&
    change.type === 'DELETED' &&
    change.resource.kind === PLANE_KIND
  )
}
