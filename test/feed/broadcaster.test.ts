import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Broadcaster } from '../../src/store/feed/broadcaster.ts'
import type { Change } from '../../src/store/model/change.ts'
import { readChanges, readHead } from '../../src/store/changes/read-changes.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { gatedReads } from './gated-reads.ts'
import { type OpenFeed, openFeed } from './open-feed.ts'

let server: TestServer
let open: OpenFeed
let names = 0

beforeAll(async () => {
  server = await startTestServer()
  open = await openFeed(server.databaseUrl)
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Creates clusters, and resolves when they are in the log. */
async function create(count: number, spec: object = {}): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    names += 1
    const answer = await server.post('/clusters', {
      kind: 'Cluster',
      name: `broadcaster-${names}`,
      spec,
    })
    expect(answer.status).toBe(201)
  }
  await open.feed.sequencer.catchUp()
}

describe('a broadcaster', () => {
  it('leaves changes in the log for a follower under backpressure, and sends all of them later', async () => {
    await using broadcaster = await Broadcaster.start({
      database: open.database,
      onError: () => undefined,
    })
    let isFull = false
    let drain = (): void => undefined
    const received: bigint[] = []
    using following = broadcaster.join({
      onChanges: (changes) => void received.push(...changes.map(({ revision }) => revision)),
      onLost: () => undefined,
      ready: () => Promise.resolve(),
      backpressure: {
        isFull: () => isFull,
        drained: () =>
          new Promise((resolve) => {
            drain = resolve
          }),
      },
    })
    const { revision: start } = broadcaster.resourceVersion
    isFull = true
    await create(3, { text: 'x'.repeat(300_000) })
    broadcaster.refresh()
    const { revision: end } = await readHead(open.database)
    expect(await broadcaster.waitFor(end, 60_000)).toBe(true)
    // Backpressure is checked after each chunk, and each of these changes is larger than a chunk.
    expect(received).toEqual([start + 1n])
    expect(following.resourceVersion.revision).toBe(start + 1n)
    await create(2)
    broadcaster.refresh()
    expect(received).toEqual([start + 1n])
    isFull = false
    drain()
    const { revision: last } = await readHead(open.database)
    while (received.at(-1) !== last) await broadcaster.waitFor(last + 1n, 20)
    const count = Number(last - start)
    expect(received).toEqual(
      Array.from({ length: count }, (_, index) => start + BigInt(index) + 1n),
    )
    expect(following.resourceVersion).toEqual(broadcaster.resourceVersion)
  })

  it('keeps its position if the last subscriber leaves during a read', async () => {
    const slow = gatedReads(open.database)
    await using broadcaster = await Broadcaster.start({
      database: slow.database,
      onError: () => undefined,
    })
    const leaving = broadcaster.subscribe({ onChanges: () => undefined, onLost: () => undefined })
    await create(5)
    broadcaster.refresh()
    leaving[Symbol.dispose]()
    await create(3)
    const head = await readHead(open.database)
    broadcaster.refresh({ epoch: head.epoch, revision: head.revision - 2n })
    slow.open()
    expect(await broadcaster.waitFor(head.revision - 2n, 60_000)).toBe(true)
    expect(broadcaster.resourceVersion.revision).toBeLessThanOrEqual(head.revision)
    const told: Change[] = []
    const from = { ...broadcaster.resourceVersion }
    using _following = await broadcaster.follow(from, {
      onChanges: (changes) => void told.push(...changes),
      onLost: () => undefined,
      ready: async () => undefined,
    })
    await create(2)
    broadcaster.refresh()
    const { revision } = await readHead(open.database)
    expect(await broadcaster.waitFor(revision, 60_000)).toBe(true)
    const expected = Array.from(
      { length: Number(revision - from.revision) },
      (_, index) => from.revision + BigInt(index + 1),
    )
    expect(told.map((change) => change.revision)).toEqual(expected)
  })

  it('accepts an epoch that another process has begun', async () => {
    await using broadcaster = await Broadcaster.start({
      database: open.database,
      onError: () => undefined,
    })
    await open.database.pool.query(`update head set epoch = 'feed0001'`)
    const head = await readHead(open.database)
    await expect(broadcaster.requireEpoch(head)).resolves.toBeUndefined()
    await expect(
      broadcaster.requireEpoch({ epoch: '00000000', revision: 0n }),
    ).rejects.toMatchObject({
      reason: 'expired',
    })
  })

  it('reads large changes in small pages, and all of them', async () => {
    const before = await readHead(open.database)
    const blob = randomBytes(600_000).toString('base64')
    await create(8, { blob })
    const page = await readChanges(open.database, before.revision, 1000)
    expect(page.entries.length).toBeGreaterThan(1)
    expect(page.entries.length).toBeLessThan(8)
    await using broadcaster = await Broadcaster.start({
      database: open.database,
      onError: () => undefined,
    })
    let received = 0
    using _following = await broadcaster.follow(before, {
      onChanges: (changes) => void (received += changes.length),
      onLost: () => undefined,
      ready: async () => undefined,
    })
    expect(received).toBe(8)
  })

  it('reports its lag', async () => {
    const slow = gatedReads(open.database)
    await using broadcaster = await Broadcaster.start({
      database: slow.database,
      onError: () => undefined,
    })
    using _subscription = broadcaster.subscribe({
      onChanges: () => undefined,
      onLost: () => undefined,
    })
    expect(broadcaster.lagSeconds).toBe(0)
    await create(1)
    broadcaster.refresh()
    await expect.poll(() => broadcaster.lagSeconds).toBeGreaterThan(0.01)
    slow.open()
    await expect.poll(() => broadcaster.lagSeconds).toBe(0)
  })
})
