import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { loadSpecSchemas } from '../../src/hyperfleet/openapi/load.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { must } from '../../src/lib/assert.ts'
import { createSemaphore } from '../../src/lib/async/semaphore.ts'
import { readHead } from '../../src/store/changes/read-changes.ts'
import { Broadcaster } from '../../src/store/feed/broadcaster.ts'
import { startWatch } from '../../src/store/operations/watch/start-watch.ts'
import type { Watcher } from '../../src/store/operations/watch/watch-event.ts'
import { Watchers } from '../../src/store/operations/watch/watchers.ts'
import { createRegistry } from '../../src/store/registry/registry.ts'
import { gatedReads } from '../feed/gated-reads.ts'
import { type OpenFeed, openFeed } from '../feed/open-feed.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/** Larger than a chunk, after which backpressure is checked. */
const LARGE = { text: 'x'.repeat(300_000) }

let server: TestServer
let open: OpenFeed

beforeAll(async () => {
  server = await startTestServer()
  open = await openFeed(server.databaseUrl)
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function create(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const answer = await server.post('/clusters', { kind: 'Cluster', name, spec: LARGE })
    expect(answer.status).toBe(201)
  }
  await open.feed.sequencer.catchUp()
}

test('sends the changes that backpressure held back while the watch began', async () => {
  const reads = gatedReads(open.database)
  await using broadcaster = await Broadcaster.start({
    database: reads.database,
    onError: () => undefined,
  })
  await create('existing')
  let isFull = false
  let drain = (): void => undefined
  const watchers = new Watchers(broadcaster, {
    isFull: () => isFull,
    drained: () => new Promise((resolve) => (drain = resolve)),
  })
  const registry = createRegistry({
    hrefBase: BASE_PATH,
    kinds,
    specSchemas: await loadSpecSchemas(kinds, null),
    requiredAdapters: new Map(),
  })
  const received: string[] = []
  let begun = (): void => undefined
  const beginning = new Promise<void>((resolve) => (begun = resolve))
  const watcher: Watcher = {
    signal: new AbortController().signal,
    send: ({ events }) => {
      for (const { watched } of events) {
        if (watched.subject === 'resource') received.push(watched.resource.name)
      }
    },
    passed: () => undefined,
    initialStateSent: () => begun(),
    fail: (error) => {
      throw error
    },
    ready: () => Promise.resolve(),
  }
  const context = {
    database: open.database,
    registry,
    feed: { ...open.feed, broadcaster },
    searches: createSemaphore(1, 60_000),
    onSearchRejected: () => undefined,
  }
  const kind = must(registry.find('Cluster'), 'the kind')
  const scope = { subject: 'resources', tenant: null, kind, ownerId: null } as const
  const starting = startWatch({ context, watchers }, { scope, search: [], from: null }, watcher)
  await beginning
  expect(received).toEqual(['existing'])
  await create('first', 'second', 'third')
  const { revision } = await readHead(open.database)
  isFull = true
  broadcaster.refresh()
  reads.open()
  expect(await broadcaster.waitFor(revision, 60_000)).toBe(true)
  // Backpressure is checked after each chunk, and the first one has only the change of `existing`.
  expect(received).toEqual(['existing'])
  isFull = false
  drain()
  using _watch = await starting
  await create('last')
  broadcaster.refresh()
  await expect.poll(() => received.at(-1)).toBe('last')
  expect(received).toEqual(['existing', 'first', 'second', 'third', 'last'])
})
