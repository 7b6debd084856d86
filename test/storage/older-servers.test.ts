import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/store/database/migrate.ts'
import { copyMigrationsBefore, MIGRATIONS } from '../support/older-migrations.ts'
import {
  createPreparedDatabase,
  createTestDatabase,
  serverNames,
  type TestDatabase,
} from '../support/test-database.ts'
import { lockName } from './row-lock.ts'

const FIELD_TERMS = '20261128000000_field_terms'

/** Statements of the servers that were built before the migration, by their prepared names. */
const OLDER = {
  insert: `
    insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
      created_time, updated_time, created_by, updated_by)
    values ($1::text, 'Cluster', $1::text, 1, 1, '{"size": 1}', '{}', '[]', '{}', now(), now(), 'a',
      'a')`,
  update: `update resources set conditions = '[]', version = version + 1 where id = $1::text`,
  report: `
    insert into adapter_statuses (resource_id, adapter, observed_generation, revision, conditions,
      data, created_time, last_report_time, observed_time, condition_type)
    values ($1::text, 'dns', 1, 1, '[]', '{}', now(), now(), now(), 'DnsSuccessful')`,
  sequence_changes: `
    select moved, epoch, revision, pg_backend_pid() as pid from sequence_changes($1::integer)`,
  inbox_age: `
    select coalesce(extract(epoch from clock_timestamp() - (
      select written_time from inbox order by id limit 1))::float8, 0) as seconds`,
  vacuum_inbox: 'vacuum (truncate off, skip_locked) inbox',
  read_changes: `
    select revision, type, resource_id, adapter, version,
      coalesce(changes.spec, declared.spec)::text as spec
    from changes left join lateral (
      select spec from (
        (select 1 as place, coalesce(old_spec, spec) as spec from changes as later
         where later.resource_id = changes.resource_id and later.revision > changes.revision
           and (old_spec is not null or type = 'DELETED')
         order by later.revision limit 1)
        union all
        (select 2, coalesce(old_spec, spec) as spec from inbox
         where inbox.resource_id = changes.resource_id
           and (old_spec is not null or type = 'DELETED')
         order by inbox.id limit 1)
        union all
        select 3, spec from resources where id = changes.resource_id
      ) as candidates order by place limit 1
    ) as declared on changes.spec is null and changes.adapter = ''
    order by revision`,
  changes_wait: `select (select id from inbox order by id limit 1) is not null as changes_wait`,
  resource_total: `select resource_total(array['Cluster'], null, null)::integer as total`,
} as const

describe.each(serverNames())('servers older than the outbox on %s', (server) => {
  let template: TestDatabase
  beforeAll(async () => {
    await using older = await copyMigrationsBefore(FIELD_TERMS)
    template = await createPreparedDatabase(server, null, (url) => migrate(url, older.directory))
  })
  afterAll(() => template[Symbol.asyncDispose]())

  let database: TestDatabase
  let session: pg.Client
  beforeEach(async () => {
    database = await createTestDatabase(server, { template: template.name })
    session = new pg.Client({ connectionString: database.url })
    await session.connect()
  })
  afterEach(async () => {
    await session.end()
    await database[Symbol.asyncDispose]()
  })

  async function run(name: keyof typeof OLDER, ...values: readonly unknown[]): Promise<unknown[]> {
    return (await session.query({ name, text: OLDER[name], values: [...values] })).rows
  }

  /** Runs each statement so often that the session keeps a generic plan for it. */
  async function runAll(prefix: string): Promise<void> {
    for (const round of [1, 2, 3, 4, 5, 6]) {
      await run('insert', `${prefix}${round}`)
      await run('report', `${prefix}${round}`)
      await run('update', `${prefix}${round}`)
      expect(await run('changes_wait')).toEqual([{ changes_wait: true }])
      expect(await run('inbox_age')).toEqual([{ seconds: expect.any(Number) }])
      expect(await run('sequence_changes', 2)).toMatchObject([{ moved: 2 }])
      await run('read_changes')
      await run('sequence_changes', 100)
      await run('vacuum_inbox')
      expect(await run('changes_wait')).toEqual([{ changes_wait: false }])
    }
  }

  it('write, sequence and read changes over the migrated schema in the same session', async () => {
    await runAll('before')
    await migrate(database.url, MIGRATIONS)
    await runAll('after')
    expect(await run('resource_total')).toEqual([{ total: 12 }])
    const changes = await run('read_changes')
    expect(changes).toEqual(
      ['before', 'after'].flatMap((prefix, half) =>
        [1, 2, 3, 4, 5, 6].flatMap((round) => {
          const id = { resource_id: `${prefix}${round}` }
          const first = BigInt(half * 18 + round * 3 - 2)
          const spec = '{"size": 1}'
          return [
            { ...id, revision: `${first}`, type: 'ADDED', adapter: '', version: '1', spec },
            {
              ...id,
              revision: `${first + 1n}`,
              type: 'ADDED',
              adapter: 'dns',
              version: '1',
              spec: null,
            },
            { ...id, revision: `${first + 2n}`, type: 'MODIFIED', adapter: '', version: '2', spec },
          ]
        }),
      ),
    )
  })

  it('lose no write that waits for the migration', async () => {
    const ids = ['first']
    await run('insert', 'first')
    let written: Promise<unknown[]>
    const transaction = await lockName(database.url, 'Cluster', 'held')
    const migration = migrate(database.url, MIGRATIONS)
    // The migration waits for two seconds at a time: a write between two attempts does not wait.
    do {
      await transaction.awaited(1)
      const id = `later-${ids.length}`
      ids.push(id)
      written = run('insert', id)
    } while (
      await Promise.race([written.then(() => true), transaction.awaited(2).then(() => false)])
    )
    await transaction[Symbol.asyncDispose]()
    await migration
    await written
    await run('sequence_changes', 100)
    expect(await run('read_changes')).toMatchObject(
      ids.map((id) => ({ resource_id: id, type: 'ADDED' })),
    )
  })
})
