import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Program, startProgram } from '../process/program.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { proofSize } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type Receiver, type Received, startReceiver } from './receiver.ts'
import { subscribe, WEBHOOK_ENV } from './webhook-server.ts'

const RESOURCES = 20
const MIN_ROUNDS = proofSize(15)
/** Servers that are killed one after the other; another one takes the place of each. */
const KILLS = proofSize(3)
const WAIT = { timeout: 120_000, interval: 100 }
const ENV = {
  ...WEBHOOK_ENV,
  ROLE: 'controllers',
  OUTGOING_WEBHOOK_TIMEOUT: '2s',
  OUTGOING_WEBHOOK_RETRIES: '1s,1s,1s,1s,1s,1s',
}

/** Two servers send events while they are killed, and receivers reject some of the events. */
describe('webhooks of servers that are killed', () => {
  let api: TestServer
  let receivers: readonly Receiver[]
  const programs: Program[] = []
  /** The generations that were acknowledged, by resource. */
  const acknowledged = new Map<string, number[]>()
  let rounds = 0

  beforeAll(async () => {
    api = await startTestServer({ env: { ...WEBHOOK_ENV, ROLE: 'api' } })
    receivers = await Promise.all([startReceiver(), startReceiver()])
    for (const receiver of receivers) {
      let requests = 0
      receiver.respond = () => ((requests += 1) % 9 === 0 ? 500 : 200)
      await subscribe(api, receiver, { kinds: ['Cluster'] })
    }
    const start = (): Program => {
      const program = startProgram({ ...ENV, DATABASE_URL: api.databaseUrl })
      programs.push(program)
      return program
    }
    start()
    start()
    await Promise.all(programs.map((program) => program.ready()))
    const killed = new AbortController()
    const writing = write(killed.signal)
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await receivedMore(50)
        programs.shift()?.kill('SIGKILL')
        await start().ready()
      }
    } finally {
      killed.abort()
      await writing
    }
    await vi.waitFor(async () => {
      const pending = `select coalesce(sum(pending), 0)::integer as pending,
        (select head.revision = webhook_cursor.revision from head, webhook_cursor) as queued,
        (select count(*) from outbox)::integer as unsequenced from webhook_queues`
      const [row] = await queryDatabase(api, pending)
      const isDone = row?.['queued'] === true && row['pending'] === 0 && row['unsequenced'] === 0
      if (!isDone) throw new Error(`events are pending: ${JSON.stringify(row)}`)
    }, WAIT)
  }, 240_000)

  afterAll(async () => {
    await Promise.all(programs.map((program) => program[Symbol.asyncDispose]()))
    for (const receiver of receivers) await receiver[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  /** Writes until the kills are over, because each of them waits for events. */
  async function write(killed: AbortSignal): Promise<void> {
    for (let index = 0; index < RESOURCES; index += 1) {
      const { body } = await api.post('/clusters', creation('Cluster'))
      acknowledged.set(body.id, [body.generation])
    }
    for (; rounds < MIN_ROUNDS || !killed.aborted; rounds += 1) {
      for (const [id, generations] of acknowledged) {
        const { status, body } = await api.patch(`/clusters/${id}`, { spec: { round: rounds } })
        expect(status).toBe(200)
        generations.push(body.generation)
      }
      await sleep(200)
    }
  }

  async function receivedMore(count: number): Promise<void> {
    const total = () => receivers.reduce((sum, { received }) => sum + received.length, 0)
    const before = total()
    await vi.waitFor(() => {
      if (total() <= before + count) throw new Error(`${total() - before} events have arrived`)
    }, WAIT)
  }

  const generationsOf = (received: readonly Received[], id: string): readonly number[] =>
    received.filter(({ body }) => body.data.id === id).map(({ body }) => body.data.generation)

  test('every acknowledged change arrives at every receiver', () => {
    expect(acknowledged.size).toBe(RESOURCES)
    for (const { received, rejected } of receivers) {
      expect(rejected).toBe(0)
      for (const [id, generations] of acknowledged) {
        expect(generations).toHaveLength(rounds + 1)
        expect([...new Set(generationsOf(received, id))].toSorted((a, b) => a - b)).toEqual(
          generations,
        )
      }
    }
  })

  test('the changes of a resource arrive in order, and only the last one arrives again', () => {
    for (const { received } of receivers) {
      for (const id of acknowledged.keys()) {
        const generations = generationsOf(received, id)
        expect(generations).toEqual(generations.toSorted((a, b) => a - b))
      }
    }
  })

  test('an event keeps its ID, and each change has one event', () => {
    for (const { received } of receivers) {
      const versions = new Map(received.map(({ id, body }) => [id, body.resource_version]))
      for (const { id, body } of received) expect(versions.get(id)).toBe(body.resource_version)
      expect(versions.size).toBe(RESOURCES * (rounds + 1))
    }
  })
})
