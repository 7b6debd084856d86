import type { Database } from '../../database/database.ts'
import {
  cutPlanes,
  dropObjectChanges,
  dropPlaneChanges,
  nextObjectChange,
  raiseObjectsCompacted,
  raisePlanes,
} from '../storage/changes/compact-object-changes.ts'
import { readObjectHead } from '../storage/changes/object-head.ts'
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
  while ((await dropObjectChanges(database, limit)) === limit);
  await compactByAge(database, retention.seconds)
  for (const plane of await cutPlanes(database, retention.changesPerPlane)) {
    while ((await dropPlaneChanges(database, plane, limit)) === limit);
  }
  await purgePlanes(database, retention.seconds)
}

async function compactByAge(database: Database, seconds: number): Promise<void> {
  const { sequence, compacted } = await readObjectHead(database)
  const boundary = await newestOlder(database, seconds, compacted, sequence)
  if (boundary === compacted) return
  for (let after = compacted; after < boundary; after += BATCH_SIZE) {
    const end = after + BATCH_SIZE
    await raisePlanes(database, after, end < boundary ? end : boundary)
  }
  await raiseObjectsCompacted(database, boundary)
}

/** The newest change that is older than `seconds`, by binary search; `from` if there is none. */
async function newestOlder(
  database: Database,
  seconds: number,
  from: bigint,
  to: bigint,
): Promise<bigint> {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const next = await nextObjectChange(database, middle, seconds)
    if (next?.is_older) low = next.sequence
    else high = middle - 1n
  }
  return low
}
