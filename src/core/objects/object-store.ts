import { createBatcher } from '../../lib/async/batcher.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Database } from '../storage/database/database.ts'
import { type ComputedObjects, findComputed } from './computed-objects.ts'
import type { ObjectFeed } from './feed/object-feed.ts'
import type { CodecOf } from './model/body-codec.ts'
import type { FleetReader } from './model/fleet-query.ts'
import type { ObjectPage, ObjectQuery } from './model/object-query.ts'
import type { ObjectWrite, WriteOutcome } from './model/object-write.ts'
import type { ObjectKey, StoredObject } from './model/stored-object.ts'
import { listWithComputed } from './list-with-computed.ts'
import { createObjectWriter } from './writes/object-writer.ts'
import { removePlane } from './storage/remove-plane.ts'
import { readFleet, readPlanes } from './storage/read-fleet.ts'
import { type FoundObject, readObjects } from './storage/read-objects.ts'

/** Objects of a removed plane that one statement deletes. */
const REMOVED_PER_STATEMENT = 1000
const READS = { maxBatchSize: 128, concurrency: 2 }

interface Options {
  readonly database: Database
  readonly feed: ObjectFeed
  readonly codecOf: CodecOf
  readonly computedObjects: ComputedObjects
  /** The revision of a plane that has no row. */
  readonly startOf: (plane: string) => bigint | Promise<bigint>
  /** How long a request may wait for earlier ones. */
  readonly timeoutMs: number
}

/** The objects of all planes. */
export interface ObjectStore {
  read(key: ObjectKey): Promise<StoredObject | null>
  list(query: ObjectQuery): Promise<ObjectPage>
  write(write: ObjectWrite): Promise<WriteOutcome>
  readonly follow: ObjectFeed['follow']
  /** Reads across planes. */
  readonly fleet: FleetReader
  /** Ends the watches of a plane and deletes its objects, regardless of their finalizers. */
  removePlane(plane: string): Promise<void>
}

/** Stores objects in PostgreSQL. Computed objects exist until a write stores or removes them. */
export function createObjectStore(options: Options): ObjectStore {
  const { database, feed, codecOf, computedObjects, startOf, timeoutMs } = options
  const read = createBatcher<ObjectKey, FoundObject>((keys) => readObjects(database, keys), {
    ...READS,
    timeoutMs,
  })
  return {
    read: async (key) => {
      const found = await read(key)
      if (found === null) return findComputed(computedObjects, key)
      return found === 'tombstone' ? null : decoded(codecOf, found)
    },
    list: async (query) => {
      const page = await listWithComputed(database, {
        ...query,
        start: await startOf(query.plane),
        computedObjects: (await computedObjects(query.plane))(query.resource),
      })
      return { ...page, objects: page.objects.map((object) => decoded(codecOf, object)) }
    },
    write: createObjectWriter({
      database,
      startOf,
      timeoutMs,
      encode: (key, body) => JSON.stringify(encoded(codecOf, key, body)),
      computedObjects,
      onWritten: () => feed.sequencer.notifyWrite(),
    }),
    follow: feed.follow,
    fleet: {
      read: async (query) =>
        (await readFleet(database, query)).map((object) => decoded(codecOf, object)),
      readPlanes: (after, limit) => readPlanes(database, after, limit),
    },
    removePlane: async (plane) => {
      await removePlane(database, plane, REMOVED_PER_STATEMENT)
      feed.sequencer.notifyWrite()
    },
  }
}

function encoded(codecOf: CodecOf, key: ObjectKey, body: JsonObject): JsonObject {
  const codec = codecOf(key.resource)
  return codec === null ? body : codec.encode(key, body)
}

function decoded(codecOf: CodecOf, object: StoredObject): StoredObject {
  const codec = codecOf(object.resource)
  return codec === null ? object : { ...object, body: codec.decode(object, object.body) }
}
