import { removeStatesOfPlanes } from '../../../src/sandboxes/storage/remove-states-of-planes.ts'
import { createObjectStore, type ObjectStore } from '../../../src/store/objects/object-store.ts'
import { type ObjectFeed, startObjectFeed } from '../../../src/store/objects/feed/object-feed.ts'
import type { CodecOf } from '../../../src/store/objects/model/body-codec.ts'
import type { StoredObject } from '../../../src/store/objects/model/stored-object.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

/** The revision at which the planes of the tests start. */
export const START = 1_000_000n

/** A store with a separate pool and feed, as in another process. */
export interface OpenStore extends AsyncDisposable {
  readonly store: ObjectStore
  readonly feed: ObjectFeed
  readonly database: Database
}

interface Options {
  readonly computed?: readonly StoredObject[]
  readonly codecOf?: CodecOf
  readonly now?: () => number
  /** Receives the name of each statement. */
  readonly onStatement?: (name: string) => void
}

/** Starts a store on a migrated database. */
export async function openStore(
  url: string,
  { computed = [], codecOf = () => null, now, onStatement }: Options = {},
): Promise<OpenStore> {
  const database = openTestDatabase(url, onStatement)
  const startOf = (): bigint => START
  const feed = await startObjectFeed({
    database,
    codecOf,
    startOf,
    retention: { seconds: 3600, changesPerPlane: 100_000 },
    onError: () => undefined,
  })
  const store = createObjectStore({
    removeRecords: removeStatesOfPlanes,
    database,
    replicas: null,
    feed,
    codecOf,
    startOf,
    computedObjects: () => (resource) => computed.filter((object) => object.resource === resource),
    timeoutMs: 60_000,
    ...(now && { now }),
  })
  return {
    store,
    feed,
    database,
    [Symbol.asyncDispose]: async () => {
      await feed[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
