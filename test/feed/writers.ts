// A process that writes and sequences resources until SIGTERM. Its writers pause between a write and
// its commit, and roll some of them back.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startSequencer } from '../../src/store/feed/sequencer.ts'
import { sequenceChanges } from '../../src/store/changes/sequence-changes.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { must } from '../../src/lib/assert.ts'

const [, , url, count, resources] = process.argv
const database = openTestDatabase(must(url, 'a database'))
const sequencer = startSequencer({
  move: (limit) => sequenceChanges(database, 'resources', { limit }),
  onSequenced: () => undefined,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
})
const stopped = new AbortController()
process.once('SIGTERM', () => stopped.abort())

async function keepWriting(): Promise<void> {
  const client = new pg.Client({ connectionString: must(url, 'a database') })
  await client.connect()
  while (!stopped.signal.aborted) {
    const id = `resource-${Math.floor(Math.random() * Number(resources))}`
    await client.query('begin')
    const version = await writeOnce(client, id)
    if (version !== null) {
      await client.query('insert into journal (id, version) values ($1, $2)', [id, version])
    }
    await sleep(Math.random() * 8)
    const kept = version !== null && Math.random() > 0.15
    await client.query(kept ? 'commit' : 'rollback')
    if (kept && Math.random() > 0.5) sequencer.notifyWrite()
    await sleep(Math.random() * 4)
  }
  await client.end()
}

/** Updates, deletes or creates the resource. Returns the version in the feed, or null for no write. */
async function writeOnce(client: pg.Client, id: string): Promise<bigint | null> {
  const { rows } = await client.query('select version from resources where id = $1 for update', [
    id,
  ])
  const version = rows[0] && BigInt(rows[0].version)
  if (version === undefined) return insert(client, id)
  if (Math.random() < 0.1) {
    await client.query('delete from resources where id = $1', [id])
  } else {
    await client.query('update resources set version = version + 1 where id = $1', [id])
  }
  return version + 1n
}

/**
 * Creates the resource with a version far above those of an earlier resource with the same id. The
 * lock keeps other writers from creating and deleting it after this statement has read the journal.
 */
async function insert(client: pg.Client, id: string): Promise<bigint | null> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [id])
  const { rows } = await client.query(
    `insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
       created_time, updated_time, created_by, updated_by)
     select $1, 'Cluster', $1, 1, coalesce(max(version), 0) + 1000, '{}', '{}', '[]', '{}',
       now(), now(), 'a', 'a'
     from journal where id = $1
     on conflict do nothing
     returning version`,
    [id],
  )
  return rows[0] === undefined ? null : BigInt(rows[0].version)
}

await Promise.all(Array.from({ length: Number(count) }, keepWriting))
await sequencer[Symbol.asyncDispose]()
await database[Symbol.asyncDispose]()
