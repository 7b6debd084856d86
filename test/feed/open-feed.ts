import { type Feed, startFeed } from '../../src/store/feed/feed.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import type { Database } from '../../src/store/database/database.ts'

/** A feed with a separate pool, as in another process. */
export interface OpenFeed extends AsyncDisposable {
  readonly feed: Feed
  readonly database: Database
}

/** Starts a feed. If it fails, the waiting test times out. */
export async function openFeed(url: string): Promise<OpenFeed> {
  const database = openTestDatabase(url)
  const feed = await startFeed({
    database,
    retention: { seconds: 3600, changes: 1_000_000 },
    onError: () => undefined,
  })
  return {
    feed,
    database,
    [Symbol.asyncDispose]: async () => {
      await feed[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
