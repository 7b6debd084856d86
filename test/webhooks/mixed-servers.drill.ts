import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { kinds as builtIn } from '../../src/hyperfleet/kinds/index.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { wifConfig } from '../support/referring-kinds.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type Receiver, startReceiver, withoutRepetitions } from './receiver.ts'
import { subscribe, WEBHOOK_ENV } from './webhook-server.ts'

/** Longer than a server waits for others that may have the kind of a change. */
const WAIT = { timeout: 120_000 }
const KINDS = [...builtIn, wifConfig]
const CHANGES = 12

const API_ENV = { ...WEBHOOK_ENV, ROLE: 'api' }

const create = async (
  server: TestServer,
  kind = 'WifConfig',
  path = '/wifconfigs',
): Promise<string> => {
  const { status, body } = await server.post(path, creation(kind))
  expect(status).toBe(201)
  return body.id
}

/** The resources whose creation was received. */
const idsOf = ({ received }: Receiver) =>
  withoutRepetitions(received).flatMap(({ type, body }) =>
    type.endsWith('.created') ? [body.data.id] : [],
  )

const resyncsOf = ({ received }: Receiver) =>
  received.filter(({ type }) => type === 'webhook.resync').map(({ body }) => body.data.reason)

describe('servers with different kinds', () => {
  /** It serves the API with the newer kinds, and sends nothing. */
  let api: TestServer
  let receiver: Receiver
  beforeEach(async () => {
    api = await startTestServer({ kinds: KINDS, env: API_ENV })
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await receiver[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  const startSending = (kinds: readonly (typeof KINDS)[number][]) =>
    startTestServer({ kinds, env: WEBHOOK_ENV, databaseUrl: api.databaseUrl })

  test('a server that lacks a kind leaves its changes to one that has it', async () => {
    await subscribe(api, receiver, { kinds: ['WifConfig'] })
    await using _older = await startSending(builtIn)
    await using _newer = await startSending(KINDS)
    const expected: string[] = []
    while (expected.length < CHANGES) expected.push(await create(api))
    await expect.poll(() => new Set(idsOf(receiver)), WAIT).toEqual(new Set(expected))
  })

  test('if no server that sends has a kind, its changes become a resync', async () => {
    await subscribe(api, receiver, { kinds: ['WifConfig'] })
    await using unaffected = await startReceiver()
    await subscribe(api, unaffected, { kinds: ['Cluster'] })
    await using older = await startSending(builtIn)
    await create(api)
    await create(api)
    expect((await older.post('/clusters', creation('Cluster'))).status).toBe(201)
    await expect.poll(() => unaffected.received.at(-1)?.type, WAIT).toBe('cluster.created')
    await expect.poll(() => resyncsOf(receiver), WAIT).toContain('configuration')
    expect(resyncsOf(unaffected)).toEqual([])
  })
})

test('a search of a newer version is not disabled while a server with other kinds runs', async () => {
  await using receiver = await startReceiver()
  await using older = await startTestServer({ kinds: builtIn, env: WEBHOOK_ENV })
  const { databaseUrl } = older
  const newer = await startTestServer({ kinds: KINDS, env: API_ENV, databaseUrl })
  const path = await subscribe(newer, receiver, { kinds: ['Cluster'], search: "name = 'a'" })
  // A newer version has stored a search that this one cannot parse.
  await queryDatabase(newer, "update webhooks set search = 'name resembles 1'")
  await queryDatabase(newer, 'update webhook_cursor set definitions = definitions + 1')
  await create(newer, 'Cluster', '/clusters')
  await expect.poll(() => resyncsOf(receiver), WAIT).toContain('configuration')
  expect((await older.get(path)).body.state).toBe('active')
  await newer[Symbol.asyncDispose]()
  await expect.poll(async () => (await older.get(path)).body.state, WAIT).toBe('disabled')
})
