import { expect, test } from 'vitest'
import { databaseFindings } from '../../src/cmd/maintenance/database-findings.ts'
import type { DatabaseFacts } from '../../src/store/doctor/database-facts.ts'
import { startProgram } from '../process/program.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer } from '../support/test-server.ts'

const HEALTHY: DatabaseFacts = {
  versionNumber: 180_004,
  encoding: 'UTF8',
  clockAhead: 0.01,
  isReadOnly: false,
  maxConnections: 200,
  connections: 3,
  hasAutovacuum: true,
  transactionAge: 1000,
  invalidIndexes: [],
  longestTransaction: 1,
  bytes: 1e7,
  migrations: [{ name: '1_first', checksum: '' }],
  servers: [{ host: 'a', fingerprint: 'x' }],
  outboxAge: 0,
}

function findingsOf(facts: Partial<DatabaseFacts>) {
  const expected = { migrations: ['1_first'], poolSize: 20 }
  return databaseFindings({ ...HEALTHY, ...facts }, expected).filter(({ level }) => level !== 'ok')
}

test('a healthy database has no findings', () => {
  expect(findingsOf({})).toEqual([])
})

test.each<readonly [Partial<DatabaseFacts>, 'warning' | 'problem', string]>([
  [{ versionNumber: 140_001 }, 'problem', 'PostgreSQL 14 is too old'],
  [{ encoding: 'LATIN1' }, 'problem', 'encoding of the database is LATIN1'],
  [{ isReadOnly: true }, 'problem', 'read-only'],
  [{ clockAhead: -3 }, 'warning', '3.0 s behind this machine'],
  [{ migrations: null }, 'warning', '1 of 1 migrations are not applied'],
  [
    {
      migrations: [
        { name: '1_first', checksum: '' },
        { name: '2_next', checksum: '' },
      ],
    },
    'problem',
    '2_next',
  ],
  [{ servers: [] }, 'warning', 'No server is running'],
  [
    {
      servers: [
        { host: 'a', fingerprint: 'x' },
        { host: 'b', fingerprint: 'y' },
      ],
    },
    'problem',
    '2 different configurations',
  ],
  [{ maxConnections: 20 }, 'problem', 'may open 22 connections'],
  [{ outboxAge: 60 }, 'problem', 'waited for 60 s'],
  [{ longestTransaction: 1200 }, 'warning', 'open for 20 minutes'],
  [{ hasAutovacuum: false }, 'problem', 'Autovacuum is off'],
  [{ transactionAge: 1_500_000_000 }, 'problem', '1500000000 transactions old'],
  [{ invalidIndexes: ['broken'] }, 'problem', 'Indexes are invalid: broken'],
])('%j is a %s', (facts, level, message) => {
  const [found, ...others] = findingsOf(facts)
  expect(found).toMatchObject({ level, message: expect.stringContaining(message) })
  expect(found?.remedy).toBeDefined()
  expect(others).toEqual([])
})

test('reports a running installation without problems', async () => {
  await using server = await startTestServer()
  const env = { DATABASE_URL: server.databaseUrl, DATABASE_OPTIONS: 'pool-size=5' }
  await using program = startProgram(env, ['doctor'])
  expect(await program.exited, program.output() + program.errors()).toBe(0)
  expect(program.output()).toContain('1 server(s) run')
  expect(program.output()).toMatch(/All \d+ migrations are applied/)
})

test('reports a database that is not migrated, and one that is unreachable', async () => {
  await using database = await createTestDatabase('embedded', { template: null })
  await using fresh = startProgram({ DATABASE_URL: database.url }, ['doctor'])
  expect(await fresh.exited).toBe(0)
  expect(fresh.output()).toContain('Run flotilla migrate')
  const url = 'postgresql://nobody@127.0.0.1:1/none'
  await using lost = startProgram({ DATABASE_URL: url }, ['doctor'])
  expect(await lost.exited).toBe(1)
  expect(lost.output()).toContain('does not accept the connection')
  expect(lost.output()).not.toContain('    at ')
})
