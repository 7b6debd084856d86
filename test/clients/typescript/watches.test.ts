import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  Client,
  type Cluster,
  NotFound,
  type WatchEvent,
} from '../../../clients/typescript/src/index.ts'
import { newName } from '../../support/fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Proxy, startProxy } from './proxy.ts'

const ENV = { HYPERFLEET_CLUSTER_ADAPTERS: '[]', WATCHES: 'heartbeat=1s' }

let server: TestServer
let proxy: Proxy
let client: Client
let direct: Client

beforeAll(async () => {
  server = await startTestServer({ env: ENV })
  proxy = await startProxy(server.origin)
  client = new Client(proxy.origin, { heartbeatTimeout: 2_500 })
  direct = new Client(server.origin)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Collects the events of a watch of the clusters with a label. */
class Recorder {
  readonly events: string[] = []
  readonly failures: unknown[] = []
  readonly #controller = new AbortController()
  readonly run = newName()

  start(from?: string): void {
    const watch = client.clusters.watch({
      search: `labels.run='${this.run}'`,
      signal: this.#controller.signal,
      resourceVersion: from,
      onRetry: (error) => this.failures.push(error),
    })
    void this.#read(watch)
    onTestFinished(() => this.#controller.abort())
  }

  async create(): Promise<string> {
    const { id } = await direct.clusters.create({ name: newName(), labels: { run: this.run } })
    return id
  }

  async until(count: number): Promise<readonly string[]> {
    await vi.waitUntil(() => this.events.length >= count, { timeout: 60_000 })
    return this.events
  }

  async #read(watch: AsyncIterable<WatchEvent<Cluster>>): Promise<void> {
    try {
      for await (const event of watch) {
        if (event.type === 'BOOKMARK') continue
        this.events.push('object' in event ? `${event.type} ${event.object.id}` : event.type)
      }
    } catch {
      // The signal of the test.
    }
  }
}

test('sends the existing objects, then every change', async () => {
  const recorder = new Recorder()
  const first = await recorder.create()
  recorder.start()
  await recorder.until(1)
  await direct.clusters.patch(first, { spec: { size: 1 } })
  await direct.clusters.delete(first)
  const expected = [`ADDED ${first}`, `MODIFIED ${first}`, `DELETED ${first}`]
  expect(await recorder.until(3)).toEqual(expected)
})

test('resumes after disconnects without a lost or repeated event', async () => {
  const recorder = new Recorder()
  const expected: string[] = []
  recorder.start((await direct.clusters.list({ pageSize: 1 }).firstPage()).resourceVersion)
  for (let round = 0; round < 5; round += 1) {
    expected.push(`ADDED ${await recorder.create()}`)
    if (round % 2 === 0) await recorder.until(expected.length)
    proxy.disconnect()
    expected.push(`ADDED ${await recorder.create()}`)
  }
  expect(await recorder.until(expected.length)).toEqual(expected)
  expect(recorder.failures.length).toBeGreaterThan(0)
})

test('reconnects when the server stalls', async () => {
  const recorder = new Recorder()
  recorder.start((await direct.clusters.list({ pageSize: 1 }).firstPage()).resourceVersion)
  const first = await recorder.create()
  await recorder.until(1)
  proxy.stallBodies(true)
  const second = await recorder.create()
  await expect.poll(() => recorder.failures.length).toBeGreaterThan(0)
  proxy.stallBodies(false)
  expect(recorder.failures[0]).toMatchObject({ code: 'Timeout' })
  expect(await recorder.until(2)).toEqual([`ADDED ${first}`, `ADDED ${second}`])
})

test('resumes on another server of the database', async () => {
  await using other = await startTestServer({ databaseUrl: server.databaseUrl, env: ENV })
  const recorder = new Recorder()
  recorder.start((await direct.clusters.list({ pageSize: 1 }).firstPage()).resourceVersion)
  const first = await recorder.create()
  await recorder.until(1)
  proxy.forwardTo(other.origin)
  proxy.disconnect()
  const second = await recorder.create()
  expect(await recorder.until(2)).toEqual([`ADDED ${first}`, `ADDED ${second}`])
  proxy.forwardTo(server.origin)
})

test('resets and lists again if the server no longer has the changes', async () => {
  const recorder = new Recorder()
  const existing = await recorder.create()
  recorder.start('00000000.1')
  expect(await recorder.until(2)).toEqual(['RESET', `ADDED ${existing}`])
})

test('a break of the loop closes the connection', async () => {
  await expect.poll(openWatches).toBe(0)
  for await (const event of client.clusters.watch()) {
    expect(event.type).toMatch(/ADDED|BOOKMARK/)
    expect(await openWatches()).toBe(1)
    break
  }
  await expect.poll(openWatches).toBe(0)
})

test('fails if the server rejects the watch', async () => {
  const watch = client.clusters.watch({ search: 'nonsense' })
  await expect(watch.next()).rejects.toMatchObject({ name: 'Invalid' })
  await expect(client.statuses.watch('unknown').next()).rejects.toThrow(NotFound)
})

async function openWatches(): Promise<number> {
  const text = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  return Number(/^flotilla_watchers(?:\{.*\})? (\d+)$/m.exec(text)?.[1])
}
