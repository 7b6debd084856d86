import { createBatcher } from '../../lib/async/batcher.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Database } from '../database/database.ts'
import type { Replicas } from '../replicas/replicas.ts'
import { type ComputedObjects, findComputed } from './computed-objects.ts'
import type { ObjectFeed } from './feed/object-feed.ts'
import type { CodecOf } from './model/body-codec.ts'
import type { FleetReader } from './model/fleet-query.ts'
import type { ObjectPage, ObjectQuery } from './model/object-query.ts'
import type { ObjectWrite, WriteOutcome } from './model/object-write.ts'
import type { PlaneSeed } from './model/plane-seed.ts'
import type { ObjectKey, StoredObject } from './model/stored-object.ts'
import { createLargeCollections } from './large-collections.ts'
import { type ListQuery, listWithComputed } from './list-with-computed.ts'
import { createObjectWriter } from './writes/object-writer.ts'
import { resetPlanes, seedPlanes } from './writes/seed-planes.ts'
import { removePlanes } from './storage/remove-planes.ts'
import type { RemoveRecords } from './storage/remove-records.ts'
import { readFleet, readPlanes } from './storage/read-fleet.ts'
import { readRevisions } from './storage/read-revisions.ts'
import { type FoundObject, readObjects } from './storage/read-objects.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** Objects of removed planes that one statement deletes. */
const REMOVED_PER_STATEMENT = 2000
const READS = { maxBatchSize: 128, concurrency: 2 }

interface Options {
  readonly database: Database
  /** Serve lists that need not be current; null without replicas. */
  readonly replicas: Replicas | null
  readonly feed: ObjectFeed
  readonly codecOf: CodecOf
  readonly computedObjects: ComputedObjects
  /** The revision of a plane that has no row. */
  readonly startOf: (plane: string) => bigint | Promise<bigint>
  readonly removeRecords: RemoveRecords
  /** How long a request may wait for earlier ones. */
  readonly timeoutMs: number
  /** A monotonic clock in milliseconds, `performance.now` by default. */
  readonly now?: () => number
}

/** The objects of all planes. */
export interface ObjectStore {
  read(key: ObjectKey): Promise<StoredObject | null>
  /** The revision of a stored object, which proves that a copy is current; null without one. */
  revisionOf(key: ObjectKey): Promise<bigint | null>
  list(query: ObjectQuery): Promise<ObjectPage>
  write(write: ObjectWrite): Promise<WriteOutcome>
  readonly follow: ObjectFeed['follow']
  /** Reads across planes. */
  readonly fleet: FleetReader
  /**
   * Writes the objects of new planes within a transaction, without a check: their keys are distinct
   * and their namespaces exist. Call `notifyWrite` after the commit.
   */
  seedPlanes(transaction: Database, seeds: Iterable<PlaneSeed>): Promise<void>
  /**
   * Empties planes within a transaction and seeds them again: deletes their objects regardless of
   * finalizers, and ends their watches. Writes that decided on the old content then fail, because
   * uids and revisions differ. Returns the new revisions; removed planes are absent. Call
   * `notifyWrite` after the commit.
   */
  resetPlanes(
    transaction: Database,
    seeds: readonly PlaneSeed[],
  ): Promise<ReadonlyMap<string, bigint>>
  /** Sends the changes of a committed transaction to watches. */
  notifyWrite(): void
  /** Ends the watches of planes and deletes their objects, regardless of their finalizers. */
  removePlanes(planes: readonly string[]): Promise<void>
}

/** Stores objects in PostgreSQL. Computed objects exist until a write stores or removes them. */
export function createObjectStore(options: Options): ObjectStore {
  const { database, replicas, feed, codecOf, computedObjects, startOf, timeoutMs, removeRecords } =
    options
  const read = createBatcher<ObjectKey, FoundObject>((keys) => readObjects(database, keys), {
    name: 'read_objects',
    ...READS,
    timeoutMs,
  })
  const readRevision = createBatcher<ObjectKey, bigint | null>(
    (keys) => readRevisions(database, keys),
    { name: 'read_object_revisions', ...READS, timeoutMs },
  )
  const large = createLargeCollections(options.now ?? (() => performance.now()))
  const encode = (key: ObjectKey, body: JsonObject): string => jsonText(encoded(codecOf, key, body))
  const notifyWrite = (): void => feed.sequencer.notifyWrite()
  return {
    read: async (key) => {
      const found = await read(key)
      if (found === null) return findComputed(computedObjects, key)
      return found === 'tombstone' ? null : decoded(codecOf, found)
    },
    revisionOf: readRevision,
    list: async (query) => {
      const countsRemaining = query.countsRemaining === true && !large.has(query)
      const whole = {
        ...query,
        countsRemaining,
        start: await startOf(query.plane),
        computedObjects: (await computedObjects(query.plane))(query.resource),
      }
      const page =
        (await listOnReplica(replicas, whole)) ?? (await listWithComputed(database, whole))
      if (countsRemaining && page.remaining === null) large.add(query)
      return { ...page, objects: page.objects.map((object) => decoded(codecOf, object)) }
    },
    write: createObjectWriter({
      database,
      startOf,
      timeoutMs,
      encode,
      computedObjects,
      onWritten: notifyWrite,
    }),
    seedPlanes: (transaction, seeds) => seedPlanes(transaction, seeds, encode),
    resetPlanes: (transaction, seeds) => resetPlanes(transaction, seeds, { encode, removeRecords }),
    notifyWrite,
    follow: feed.follow,
    fleet: {
      read: async (query) =>
        (await readFleet(database, query)).map((object) => decoded(codecOf, object)),
      readPlanes: (after, limit) => readPlanes(database, after, limit),
    },
    removePlanes: async (planes) => {
      const removal = { batchSize: REMOVED_PER_STATEMENT, removeRecords }
      if ((await removePlanes(database, planes, removal)) > 0) notifyWrite()
    },
  }
}

/** Null if the list must be current, or no replica has reached its minimum revision. */
async function listOnReplica(
  replicas: Replicas | null,
  query: ListQuery,
): Promise<ObjectPage | null> {
  const { atLeast } = query
  if (replicas === null || atLeast === undefined) return null
  const read = await replicas.read({ epoch: null, revision: 0n }, async (snapshot) => {
    const page = await listWithComputed(snapshot, query)
    return page.revision < atLeast ? null : page
  })
  return read?.value ?? null
}

function encoded(codecOf: CodecOf, key: ObjectKey, body: JsonObject): JsonObject {
  const codec = codecOf(key.resource)
  return codec === null ? body : codec.encode(key, body)
}

function decoded(codecOf: CodecOf, object: StoredObject): StoredObject {
  const codec = codecOf(object.resource)
  return codec === null ? object : { ...object, body: codec.decode(object, object.body) }
}
