import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Feed } from '../../src/store/feed/feed.ts'
import { must } from '../../src/lib/assert.ts'
import { type Program, startNode } from '../process/program.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type OpenFeed, openFeed } from './open-feed.ts'
import {
  createJournal,
  type Entry,
  FAULTLESS,
  type Faults,
  faultsOf,
  readJournal,
} from './journal.ts'
import { startNaiveReader, startReader } from './readers.ts'

const PROCESSES = 3
const WRITERS = 5
const RESOURCES = 20
const MIN_WRITES = 1500

/** Fifteen writers in three processes, one of which is killed, and readers that reconnect. */
describe('the feed of many writers', () => {
  let database: TestDatabase
  let feeds: readonly OpenFeed[]
  let clients: readonly pg.Client[]
  let journal: readonly Entry[]
  const told: (readonly Entry[])[] = []
  let naive: Faults
  let errors: readonly string[]
  let revisions: { count: bigint; least: bigint; most: bigint }

  beforeAll(async () => {
    database = await createTestDatabase()
    clients = [0, 1].map(() => new pg.Client({ connectionString: database.url }))
    await Promise.all(clients.map((client) => client.connect()))
    const [client, other] = clients
    await createJournal(must(client, 'a client'))
    feeds = await Promise.all([openFeed(database.url), openFeed(database.url)])
    const hubs = feeds.map(({ feed }: { feed: Feed }) => feed.broadcaster)
    const readers = [...hubs, ...hubs].map(startReader)
    const naiveReader = startNaiveReader(must(other, 'a client'))
    const processes = Array.from({ length: PROCESSES }, () => startWriters(database.url))
    await written(must(client, 'a client'), MIN_WRITES / 2)
    processes[0]?.kill('SIGKILL')
    await written(must(client, 'a client'), MIN_WRITES)
    await Promise.all(processes.map((process) => process[Symbol.asyncDispose]()))
    errors = processes.map((process) => process.errors())
    const end = await must(feeds[0], 'a feed').feed.sequencer.catchUp()
    await Promise.all(readers.map((reader) => reader.finish(end)))
    await naiveReader.finish(end)
    journal = await readJournal(must(client, 'a client'))
    told.push(...readers.map((reader) => reader.received))
    naive = faultsOf(journal, naiveReader.received)
    const { rows } = await must(client, 'a client').query(
      'select count(*), min(revision) as least, max(revision) as most from changes',
    )
    revisions = {
      count: BigInt(rows[0].count),
      least: BigInt(rows[0].least),
      most: BigInt(rows[0].most),
    }
  })

  afterAll(async () => {
    await Promise.all(feeds.map((feed) => feed[Symbol.asyncDispose]()))
    await Promise.all(clients.map((client) => client.end()))
    await database[Symbol.asyncDispose]()
  })

  it('delivers every change once and in order to every reader', () => {
    expect(errors).toEqual(errors.map(() => ''))
    expect(journal.length).toBeGreaterThanOrEqual(MIN_WRITES)
    expect(told.map((entries) => faultsOf(journal, entries))).toEqual(told.map(() => FAULTLESS))
  })

  it('has no gaps', () => {
    expect(revisions.most - revisions.least + 1n).toBe(revisions.count)
    expect(revisions.count).toBe(BigInt(journal.length))
  })

  it('loses changes if read by "greater than my last" from the journal, which the check detects', () => {
    expect(naive.missed).toBeGreaterThan(0)
  })
})

function startWriters(url: string): Program {
  const args = ['--import', 'tsx', 'test/feed/writers.ts', url, `${WRITERS}`, `${RESOURCES}`]
  return startNode(args, {})
}

/** Resolves when this number of writes has been committed. */
async function written(client: pg.Client, count: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select count(*)::integer as count from journal')
    if (rows[0].count >= count) return
    await sleep(20)
  }
}
