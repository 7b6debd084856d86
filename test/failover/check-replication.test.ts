import { Writable } from 'node:stream'
import pg from 'pg'
import pino from 'pino'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer } from '../support/test-server.ts'

const env = { DATABASE_OPTIONS: 'synchronous=true' }

test('a server does not start if its commits wait for no standby', async () => {
  await using database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`alter database ${database.name} set synchronous_commit = local`)
  await client.end()
  await expect(startTestServer({ databaseUrl: database.url, env })).rejects.toThrow(
    'DATABASE_OPTIONS: synchronous: synchronous_commit is local, so a failover can lose acknowledged writes: set it to on',
  )
})

test('a server warns if the database has no synchronous standby', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  await using _server = await startTestServer({ env, log: pino({ level: 'warn' }, stream) })
  expect(lines.join('')).toContain('the database has no synchronous standby')
})
