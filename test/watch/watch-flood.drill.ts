import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { must } from '../../src/lib/assert.ts'
import { newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { metricOf, openWatch, type WatchClient } from './watch-client.ts'

const BUDGET = 16_777_216
const WATCHES = 60
const PATCHES = 12
/** Between readings of the metrics. */
const PAUSE_MS = 10
const TEXT = 'x'.repeat(940_000)

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ config: { watchTotalBufferBytes: BUDGET } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** A watch whose client never reads. */
function openUnread(path: string): Socket {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1').pause()
  socket.on('error', () => undefined)
  socket.write(`GET ${BASE_PATH}${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  return socket
}

async function endedFor(...reasons: readonly string[]): Promise<number> {
  const counts = await Promise.all(
    reasons.map((reason) => metricOf(server, `flotilla_watches_ended_total{reason="${reason}"}`)),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The generations of a cluster after its first, in the order of the events. */
function generationsOf(watch: WatchClient, id: string): number[] {
  const own = watch.changes().filter(({ object }) => object.id === id && object.generation > 1)
  return own.map(({ object }) => object.generation)
}

async function untilWatchers(count: number): Promise<void> {
  while ((await metricOf(server, 'flotilla_watchers')) !== count) await sleep(PAUSE_MS)
}

describe('the shared budget of all watches', () => {
  test('limits the memory of many unread watches, while probes respond and other watches miss nothing', async () => {
    const { body } = await server.post('/clusters', { kind: 'Cluster', name: newName(), spec: {} })
    const from = (await server.get('/clusters?pageSize=1')).body.resource_version
    const path = `/clusters?watch=true&resourceVersion=${from}`
    const unread = Array.from({ length: WATCHES }, (_, index) =>
      openUnread(`${path}&fields=spec,labels.k${index}`),
    )
    using reader = await openWatch(server, `${path}&fields=generation`)
    await untilWatchers(WATCHES + 1)
    const generations = (): number[] => generationsOf(reader, body.id)
    const all = Array.from({ length: PATCHES }, (_, index) => index + 2)

    const patches = (async () => {
      for (let n = 1; n <= PATCHES; n += 1) {
        const { status } = await server.patch(`/clusters/${body.id}`, { spec: { n, text: TEXT } })
        expect(status).toBe(200)
      }
    })()
    const pending: number[] = []
    let probesDuringFlood = 0
    while ((await endedFor('budget', 'slow')) < WATCHES) {
      pending.push(await metricOf(server, 'flotilla_watch_pending_bytes'))
      const probe = await fetch(`${server.healthOrigin}/healthz`)
      expect(probe.status).toBe(200)
      if (generations().length < PATCHES) probesDuringFlood += 1
      await sleep(PAUSE_MS)
    }
    await patches
    await reader.until(({ object }) => object.generation === PATCHES + 1)

    expect(generations()).toEqual(all)
    expect(probesDuringFlood).toBeGreaterThan(0)
    expect(Math.max(...pending)).toBeGreaterThan(0)
    expect(Math.max(...pending)).toBeLessThanOrEqual(BUDGET)
    expect(await endedFor('budget')).toBeGreaterThan(0)
    for (const socket of unread) socket.destroy()

    using resumed = await openWatch(server, path)
    await resumed.until(({ object }) => object.generation === PATCHES + 1)
    expect(generationsOf(resumed, body.id)).toEqual(all)
  })

  test('slows down many reading watches instead of closing them', async () => {
    const { body } = await server.post('/clusters', { kind: 'Cluster', name: newName(), spec: {} })
    const from = (await server.get('/clusters?pageSize=1')).body.resource_version
    const before = await endedFor('budget', 'slow')
    const watches = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        openWatch(
          server,
          `/clusters?watch=true&resourceVersion=${from}&fields=generation,labels.k${index}`,
        ),
      ),
    )
    for (let n = 1; n <= 2 * PATCHES; n += 1) {
      await server.patch(`/clusters/${body.id}`, { spec: { n, text: TEXT } })
    }
    for (const watch of watches) {
      await watch.until(({ object }) => object.generation === 2 * PATCHES + 1)
      expect(generationsOf(watch, body.id)).toEqual(
        Array.from({ length: 2 * PATCHES }, (_, index) => index + 2),
      )
      watch[Symbol.dispose]()
    }
    expect(await endedFor('budget', 'slow')).toBe(before)
    expect(must(watches[0], 'a watch').status).toBe(200)
    await untilWatchers(0)
    expect(await metricOf(server, 'flotilla_watch_pending_bytes')).toBe(0)
  })
})
