import type { Feed } from '../core/feed/feed.ts'
import type { Database } from '../core/storage/database/database.ts'
import { findRoot } from '../core/storage/resources/find-root.ts'
import { startPlaneRemoval } from '../controllers/plane-removal/plane-removal.ts'
import type { StartController } from '../controllers/start-controllers.ts'
import { PLANE_KIND } from './plane-directory.ts'
import type { Planes } from './start-planes.ts'

interface Parts {
  readonly database: Database
  /** The feed of clusters. */
  readonly feed: Feed
  readonly planes: Pick<Planes, 'removePlane'>
}

/** Removes the planes of clusters that no longer exist. */
export function planeRemoval({ database, feed, planes }: Parts): StartController {
  return ({ onError, ...context }) =>
    startPlaneRemoval({
      ...context,
      exists: async (plane) => (await findRoot(database, PLANE_KIND, plane))?.id === plane,
      remove: (plane) => planes.removePlane(plane),
      onRemoval: (callback) =>
        feed.broadcaster.subscribe({
          onChanges: (changes) => {
            for (const change of changes) {
              if (change.subject !== 'resource' || change.type !== 'DELETED') continue
              if (change.resource.kind === PLANE_KIND) callback(change.resource.id)
            }
          },
          // The next full pass finds the planes of changes that were lost.
          onLost: () => undefined,
        }),
      onError: (error) => onError('removal of planes', error),
    })
}
