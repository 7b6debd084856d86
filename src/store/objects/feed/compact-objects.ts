import { newestOlder } from '../../feed/newest-older.ts'
import type { Database } from '../../database/database.ts'
import {
  cutPlanes,
  dropPlaneChanges,
  raisePlanes,
} from '../storage/changes/compact-object-changes.ts'
import { dropChanges, raiseCompacted } from '../../changes/compact-changes.ts'
import { readHead } from '../../changes/read-changes.ts'
import { purgePlanes } from '../storage/remove-planes.ts'

/** Limits of the log of objects. */
export interface ObjectRetention {
  /** Changes that are older are dropped. */
  readonly seconds: number
  /** The most changes of one plane, whatever their age. */
  readonly changesPerPlane: number
}

/** The most changes that one statement considers or drops. */
const BATCH_SIZE = 10_000n

/**
 * Drops old changes, and the oldest changes of planes with too many. The boundary of a plane is
 * always raised before its changes disappear, so a follower never misses one.
 */
export async function compactObjects(
  database: Database,
  retention: ObjectRetention,
): Promise<void> {
  const limit = Number(BATCH_SIZE)
  while ((await dropChanges(database, 'objects', limit)) === limit);
  await compactByAge(database, retention.seconds)
  for (const plane of await cutPlanes(database, retention.changesPerPlane)) {
    while ((await dropPlaneChanges(database, plane, limit)) === limit);
  }
  await purgePlanes(database, retention.seconds)
}

async function compactByAge(database: Database, seconds: number): Promise<void> {
  const head = await readHead(database, 'objects')
  const { compacted } = head
  const boundary = await newestOlder(database, 'objects', { head, seconds })
  if (boundary === compacted) return
  for (let after = compacted; after < boundary; after += BATCH_SIZE) {
    const end = after + BATCH_SIZE
    await raisePlanes(database, after, end < boundary ? end : boundary)
  }
  await raiseCompacted(database, 'objects', boundary)
}
