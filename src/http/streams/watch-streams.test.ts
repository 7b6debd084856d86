import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { STREAM_EVENTS } from '../../hyperfleet/watch/stream-events.ts'
import { systemClock } from '../../lib/clock.ts'
import { serveApp, type TestServer } from '../server/fixtures.ts'
import { sendRaw } from '../server/fixtures.ts'
import type { Delivery } from './delivery.ts'
import { WatchStreams } from './watch-streams.ts'
import type { WatchStream } from './watch-stream.ts'

interface Setting extends AsyncDisposable {
  readonly streams: WatchStreams
  readonly server: TestServer
  readonly ends: readonly string[]
}

/** A server that responds to every request with a stream and passes the stream to `handle`. */
async function streaming(
  handle: (stream: WatchStream) => void,
  maxAgeSeconds = 3600,
): Promise<Setting> {
  const ends: string[] = []
  const streams = new WatchStreams({
    limit: 10,
    bufferBytes: 65_536,
    totalBufferBytes: 1_048_576,
    heartbeatSeconds: 15,
    maxAgeSeconds,
    clock: systemClock,
    random: () => 0,
    metrics: {
      watchStarted: () => undefined,
      watchEnded: (reason) => void ends.push(reason),
      exposeWatchBudget: () => undefined,
    },
    onError: () => undefined,
  })
  const respond = (_request: Request, response: Response): void => {
    handle(streams.open(response, STREAM_EVENTS))
  }
  const server = await serveApp((app) => app.use(respond))
  return {
    streams,
    server,
    ends,
    [Symbol.asyncDispose]: async () => {
      await streams[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

test('sends the first event immediately, and events that follow shortly after it together', async () => {
  await using setting = await streaming((stream) => {
    for (const event of ['one\n', 'two\n', 'three\n']) stream.write(event)
    stream.flush()
    stream.end('age')
  })
  const raw = await sendRaw(setting.server.port, REQUEST)
  const [, body = ''] = raw.split('\r\n\r\n')
  expect(`${body}\r\n\r\n`).toBe('4\r\none\n\r\na\r\ntwo\nthree\n\r\n0\r\n\r\n')
})

test('sends held-back events even if no further event follows', async () => {
  await using setting = await streaming((stream) => {
    stream.write('one\n')
    stream.write('two\n')
  })
  const response = await fetch(setting.server.url)
  let text = ''
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString()
    if (text === 'one\ntwo\n') break
  }
  expect(text).toBe('one\ntwo\n')
})

test('ends a stream after half of the maximum age if the random number is 0', async () => {
  await using setting = await streaming((stream) => {
    stream.reportVersionsFrom(() => 'token')
    stream.start()
  }, 2)
  const response = await fetch(setting.server.url)
  expect(await response.text()).toBe('{"type":"BOOKMARK","object":{},"resource_version":"token"}\n')
  expect(setting.ends).toEqual(['age'])
})

test('never sends an older bookmark while an event waits to be rendered', async () => {
  await using setting = await streaming((stream) => {
    stream.reportVersionsFrom(() => 'v9')
    stream.deliver(delivery(stream, 'v1', spendSlice))
    stream.sendHeartbeat()
    stream.deliver(delivery(stream, 'v11'))
    stream.sendHeartbeat()
    setImmediate(() => stream.end('age'))
  })
  const lines = (await (await fetch(setting.server.url)).text()).trim().split('\n')
  const versions = lines.map((line) => JSON.parse(line).resource_version)
  expect(versions.slice(0, 4)).toEqual(['v1', 'v9', 'v9', 'v11'])
})

test('sends a failure as the last event', async () => {
  await using setting = await streaming((stream) => {
    stream.write('one\n')
    stream.fail(new Error('secret'))
    stream.write('two\n')
  })
  const [first, last, ...rest] = (await (await fetch(setting.server.url)).text()).split('\n')
  expect(first).toBe('one')
  expect(JSON.parse(last ?? '')).toMatchObject({
    type: 'ERROR',
    object: { code: 'HYPERFLEET-INT-001', status: 500 },
    resource_version: '',
  })
  expect(last).not.toContain('secret')
  expect(rest).toEqual([''])
  expect(setting.ends).toEqual(['failure'])
})

test('closes only as many slow streams as the budget requires', async () => {
  const streams: WatchStream[] = []
  await using setting = await streaming((stream) => {
    stream.start()
    streams.push(stream)
  })
  const responses = await Promise.all([1, 2, 3].map(() => fetch(setting.server.url)))
  // Of three such events, the budget has room for two.
  for (const stream of streams) stream.write('x'.repeat(480_000))
  expect(setting.ends).toEqual(['budget'])
  expect(setting.streams.pendingBytes).toBe(2 * 480_000)
  for (const stream of streams) stream.end('age')
  const outcomes = await Promise.allSettled(responses.map((response) => response.text()))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
})

test('rejects new streams with 503 after it is closed', async () => {
  await using setting = await streaming((stream) => stream.start())
  await setting.streams[Symbol.asyncDispose]()
  const response = await fetch(setting.server.url)
  expect(response.status).toBe(503)
})

/** A delivery of one event. `before` runs when it is rendered. */
function delivery(
  stream: WatchStream,
  resourceVersion: string,
  before = () => undefined,
): Delivery {
  const send = (): void => {
    before()
    stream.write(`{"resource_version":"${resourceVersion}"}\n`)
  }
  return { send, source: {}, size: 1, resourceVersion }
}

/** Uses up the render slice, so that later events wait for the next one. */
function spendSlice(): undefined {
  const end = performance.now() + 50
  while (performance.now() < end);
}
