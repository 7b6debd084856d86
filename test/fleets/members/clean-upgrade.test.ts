import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { copyMigrationsBefore, MIGRATIONS } from '../../support/older-migrations.ts'
import {
  createPreparedDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/test-database.ts'

const UNCLEAN = '20270118100000_unclean_members'

let older: TestDatabase
let upgraded: TestDatabase
beforeAll(async () => {
  await using migrations = await copyMigrationsBefore(UNCLEAN)
  older = await createPreparedDatabase('embedded', null, (url) =>
    migrate(url, migrations.directory),
  )
  upgraded = await createPreparedDatabase('embedded', older.name, (url) => migrate(url, MIGRATIONS))
})
afterAll(async () => {
  await upgraded[Symbol.asyncDispose]()
  await older[Symbol.asyncDispose]()
})

let database: TestDatabase
let pool: pg.Pool
async function openCopy(template: TestDatabase): Promise<void> {
  database = await createTestDatabase('embedded', { template: template.name })
  pool = new pg.Pool({ connectionString: database.url }).on('error', () => undefined)
}
afterEach(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

/** A cluster and its row as older servers write them. */
async function insertMember(id: string, values: object = {}): Promise<void> {
  await pool.query(
    `insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
      created_time, updated_time, created_by, updated_by)
    values ($1, 'Cluster', $1, 1, 1, '{}', '{}', '[]', '{}', now(), now(), 'a', 'a')`,
    [id],
  )
  const row = {
    resource_id: id,
    group_uid: 'fleet',
    group_name: 'pool',
    template: 'hash',
    state: 'Available',
    transition_time: new Date(),
    created_time: new Date(),
    ...values,
  }
  const columns = Object.keys(row)
  const places = columns.map((_, index) => `$${index + 1}`)
  const statement = `insert into members (${columns.join(', ')}) values (${places.join(', ')})`
  await pool.query(statement, Object.values(row))
}

async function stateOf(id: string): Promise<string> {
  const { rows } = await pool.query('select state, kept from members where resource_id = $1', [id])
  return `${rows[0]?.state}${rows[0]?.kept === true ? ', kept' : ''}`
}

const CLAIM = { state: 'Claimed', holder: 'a', claim_id: 'x.1', claimed_time: new Date() }

it('marks existing members whose content is not known', async () => {
  await openCopy(older)
  await insertMember('new')
  await insertMember('adopted', { template: '' })
  await insertMember('returned', { last_claim_id: 'returned.1' })
  await insertMember('waiting', { state: 'Recycling', last_claim_id: 'waiting.1' })
  await insertMember('held', CLAIM)
  await migrate(database.url, MIGRATIONS)
  const states = await Promise.all(
    ['new', 'adopted', 'returned', 'waiting', 'held'].map((id) => stateOf(id)),
  )
  expect(states).toEqual(['Available', 'Unclean', 'Available, kept', 'Recycling', 'Claimed'])
})

/** The assignments of older servers. */
const FREE = `claim_id = null, holder = null, claimed_time = null, expires_time = null,
  lease_seconds = null`

it.each([
  { change: 'a reset', from: { state: 'Recycling' }, set: `state = 'Available'`, to: 'Available' },
  {
    change: 'a release with Keep',
    from: CLAIM,
    set: `state = 'Available', last_claim_id = claim_id, ${FREE}`,
    to: 'Available, kept',
  },
  {
    change: 'an adoption of a claimed member',
    from: CLAIM,
    set: `state = 'Available', group_uid = 'other', template = '', last_claim_id = null, ${FREE}`,
    to: 'Unclean',
  },
  {
    change: 'an adoption of a member that waits for its reset',
    from: { state: 'Recycling' },
    set: `state = 'Available', group_uid = 'other', template = ''`,
    to: 'Unclean',
  },
  {
    change: 'an end of a claim that forgets the reset',
    from: CLAIM,
    set: `state = 'Available', ${FREE}`,
    to: 'Unclean',
  },
])('translates the statements of older servers: $change', async ({ from, set, to }) => {
  await openCopy(upgraded)
  await insertMember('one', from)
  await pool.query(`update members set ${set} where resource_id = 'one'`)
  expect(await stateOf('one')).toBe(to)
})

it('translates the statements of older servers: an adoption without a row', async () => {
  await openCopy(upgraded)
  await insertMember('one', { template: '' })
  expect(await stateOf('one')).toBe('Unclean')
})
