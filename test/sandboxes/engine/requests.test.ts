import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { poll } from '../support/poll.ts'
import {
  HIBERNATES,
  type ReferenceFixture,
  startReferenceFixture,
} from '../support/start-reference-fixture.ts'

let fixture: ReferenceFixture
let database: pg.Pool

beforeAll(async () => {
  fixture = await startReferenceFixture()
  database = new pg.Pool({ connectionString: fixture.server.databaseUrl })
})

afterAll(async () => {
  await database.end()
  await fixture[Symbol.asyncDispose]()
})

const SNAPSHOTS = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/snapshots'

/** The operations of a sandbox, in the order of their creation. */
async function operationsOf(name: string): Promise<readonly string[]> {
  const text = 'select kind, result from sandbox_operations where name = $1 order by created_time'
  const { rows } = await database.query<{ kind: string; result: string | null }>(text, [name])
  return rows.map(({ kind, result }) => `${kind}/${result ?? 'unfinished'}`)
}

test('a requested snapshot without a store fails once', async () => {
  const { api, waitFor } = fixture
  await api.createSandbox('storeless', {})
  await waitFor('storeless', 'Ready=True')
  await api.create({
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Snapshot',
    metadata: { name: 'impossible' },
    spec: { sandboxRef: { name: 'storeless' } },
  })
  await poll(
    'the phase of the snapshot',
    async () => (await api.call('GET', `${SNAPSHOTS}/impossible`)).body.status?.phase,
    (phase) => phase === 'Failed',
  )
  await api.patchSandbox('storeless', { metadata: { labels: { changed: 'yes' } } })
  await waitFor('storeless', 'Progressing=False')
  await expect.poll(() => operationsOf('storeless')).toEqual(['Start/Succeeded', 'Snapshot/Failed'])
})

test('a sandbox that is created suspended restores its snapshot when it first runs', async () => {
  const { api, waitFor, reference } = fixture
  const { body } = await api.createSandbox('source', HIBERNATES)
  await waitFor('source', 'Ready=True')
  reference.state.files.set(body.metadata.uid, new Map([['count', '7']]))
  await api.patchSandbox('source', { spec: { operatingMode: 'Suspended' } })
  const suspended = await waitFor('source', 'Suspended=True', 'SnapshotReady=True')
  const restoreFrom = { snapshotName: suspended.body.status.snapshot.name }

  await api.createSandbox('copy', { ...HIBERNATES, operatingMode: 'Suspended', restoreFrom })
  await waitFor('copy', 'Suspended=True')
  await api.patchSandbox('copy', { spec: { operatingMode: 'Running' } })
  const copy = await waitFor('copy', 'Ready=True')
  expect(copy.body.status.boot).toBe('FORK')
  expect(reference.state.files.get(copy.body.metadata.uid)?.get('count')).toBe('7')
})
