import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { serveHttp, testEgress } from './fixtures.ts'

/** A server that breaks every connection at its second request. */
async function serveOnce() {
  const used = new WeakSet()
  let resets = 0
  const url = await serveHttp((request, response) => {
    if (used.has(request.socket)) {
      resets += 1
      request.socket.resetAndDestroy()
      return
    }
    used.add(request.socket)
    response.end('ok')
  })
  return { url: new URL(url), resets: () => resets }
}

test('repeats a read if the server has closed the idle connection', async () => {
  const { url, resets } = await serveOnce()
  const egress = testEgress()
  const { signal } = new AbortController()
  // A connection becomes idle a moment after its response.
  while (resets() === 0) {
    const read = { url, method: 'GET', headers: {}, body: null, ca: null, signal }
    expect(await text(await egress.send(read))).toBe('ok')
  }
})

test('repeats a read on a new connection', async () => {
  const { url, resets } = await serveOnce()
  const egress = testEgress()
  const { signal } = new AbortController()
  const read = async () =>
    text(await egress.send({ url, method: 'GET', headers: {}, body: null, ca: null, signal }))
  while (resets() < 4) {
    // Both connections can be idle afterwards.
    expect(await Promise.all([read(), read()])).toEqual(['ok', 'ok'])
    expect(await read()).toBe('ok')
  }
})

test('repeats no write without a body', async () => {
  const { url, resets } = await serveOnce()
  const egress = testEgress()
  const { signal } = new AbortController()
  const remove = async () => {
    const write = { url, method: 'DELETE', headers: {}, body: null, ca: null, signal }
    return text(await egress.send(write))
  }
  const outcomes: string[] = []
  while (resets() === 0) outcomes.push(await remove().catch(() => 'broken'))
  expect(outcomes.at(-1)).toBe('broken')
})
