import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReferenceFixture, startReferenceFixture } from '../support/start-reference-fixture.ts'

const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
let fixture: ReferenceFixture
let database: pg.Client

beforeAll(async () => {
  fixture = await startReferenceFixture({ log })
  database = new pg.Client({ connectionString: fixture.server.databaseUrl })
  await database.connect()
})

afterAll(async () => {
  await database.end()
  await fixture[Symbol.asyncDispose]()
})

test('a sandbox that is removed during its reconciliation leaves no warning', async () => {
  const { api } = fixture
  // The controller runs: its start would wait for the lock.
  await api.createSandbox('first', {})
  await untilSeen('first')
  await database.query('begin')
  await database.query('lock table sandbox_operations')
  const created = await api.createSandbox('removed', {})
  // The controller has read the sandbox and waits for its rows.
  await untilSeen('removed')
  await expect.poll(waitingForLock).toBeGreaterThan(0)
  await api.patchSandbox('removed', { metadata: { finalizers: null } })
  const path = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes/removed'
  await api.call('DELETE', path)
  expect((await api.getSandbox('removed')).status).toBe(404)
  await database.query('commit')

  // The next reconciliation of the sandbox begins this operation.
  await expect.poll(() => deletionsOf(created.body.metadata.uid)).toBe(1)
  expect(warnings.filter((line) => line.includes('not found'))).toEqual([])
})

/** The controller has set its finalizer. */
async function untilSeen(name: string): Promise<void> {
  const finalizers = async () => (await fixture.api.getSandbox(name)).body.metadata.finalizers ?? []
  await expect.poll(finalizers).toHaveLength(1)
}

async function waitingForLock(): Promise<number> {
  const { rowCount } = await database.query(
    `select 1 from pg_locks where relation = 'sandbox_operations'::regclass and not granted`,
  )
  return rowCount ?? 0
}

async function deletionsOf(uid: string): Promise<number> {
  const { rowCount } = await database.query(
    `select 1 from sandbox_operations where sandbox_uid = $1 and kind = 'Delete'`,
    [uid],
  )
  return rowCount ?? 0
}
