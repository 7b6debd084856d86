import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { readHead } from '../../src/store/changes/read-changes.ts'
import { renewEpoch } from '../../src/store/changes/renew-epoch.ts'
import type { SeenPosition } from '../../src/store/changes/seen-position.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

let owned: TestDatabase
let database: Database

beforeAll(async () => {
  owned = await createTestDatabase()
  database = openTestDatabase(owned.url, undefined, { isSynchronous: true })
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await owned[Symbol.asyncDispose]()
})

/** A log whose epoch a first server has kept over a failover. */
const KEEP = {
  resources: sql`update head set revision = 7, origin = database_origin()`,
  objects: sql`update object_head set sequence = 7, origin = database_origin()`,
}

test.each(['resources', 'objects'] as const)(
  'a server that has read further than the log of %s begins a new epoch',
  async (log) => {
    const renew = (seen: SeenPosition | null) => renewEpoch(database, log, seen)
    const read = () => readHead(database, log)
    await database.query('keep_epoch', KEEP[log])
    const kept = await read()
    for (const seen of [null, { ...kept, revision: 6n }, kept]) await renew(seen)
    await renew({ epoch: 'another', revision: 8n })
    expect(await read()).toEqual(kept)
    await renew({ ...kept, revision: 8n })
    const renewed = await read()
    expect(renewed.epoch).not.toBe(kept.epoch)
    // Another server that had read as far changes nothing more.
    await renew({ ...kept, revision: 9n })
    expect(await read()).toEqual(renewed)
  },
)
