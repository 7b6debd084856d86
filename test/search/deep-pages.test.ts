import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { listByCreation } from '../../src/store/resources/list/list-by-creation.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** Half of the rows share a parent. A tenth have the same creation time as another row. */
const SEED = `
  insert into resources (id, kind, name, owner_id, generation, version, spec, labels, conditions,
    cond, created_time, updated_time, created_by, updated_by)
  select 'id-' || lpad(n::text, 5, '0'), 'NodePool', 'name-' || n,
    case n % 2 when 0 then 'parent' else 'other' end, 1, n, '{}', '{}', '[]', '{}',
    timestamptz '2026-01-01' + (n - n % 10 / 9) * interval '1 second', now(), 'seed', 'seed'
  from generate_series(1, 5000) as n`

describe('pages of a list in creation order', () => {
  let copy: TestDatabase
  let database: Database

  beforeAll(async () => {
    copy = await createTestDatabase()
    database = openTestDatabase(copy.url)
    await database.pool.query(SEED)
  })
  afterAll(async () => {
    await database[Symbol.asyncDispose]()
    await copy[Symbol.asyncDispose]()
  })

  for (const ownerId of [null, 'parent']) {
    for (const direction of ['asc', 'desc'] as const) {
      it(`are contiguous around the offset at which index skipping starts (${ownerId ?? 'all'}, ${direction})`, async () => {
        const read = async (offset: number, limit: number) => {
          const window = { limit, offset, after: null }
          const list = { tenant: null, kind: 'NodePool', ownerId, direction, ...window }
          return (await listByCreation(database, list)).items
        }
        const whole = await read(0, 2400)
        for (const offset of [980, 999, 1000, 1001, 2000]) {
          expect(await read(offset, 40)).toEqual(whole.slice(offset, offset + 40))
        }
        expect(new Set(whole.map(({ id }) => id)).size).toBe(2400)
      })
    }
  }
})
