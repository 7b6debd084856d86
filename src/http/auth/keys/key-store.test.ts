import { expect, onTestFinished, test, vi } from 'vitest'
import {
  respondWith,
  type KeyServer,
  keySetOf,
  serveKeys,
  signingKey,
  type TestClock,
  testClock,
  type TestLog,
  testLog,
} from '../fixtures.ts'
import type { KeySet } from './key-set.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'
import { keyUrl } from '../../../access/key-url.ts'

const one = signingKey('ES256', 'one')
const two = signingKey('ES256', 'two')

interface Setting {
  readonly keys: KeyStore
  readonly server: KeyServer
  readonly clock: TestClock
  readonly log: TestLog
}

async function keyStore(answer?: KeyServer['respond']): Promise<Setting> {
  const server = await serveKeys(one)
  onTestFinished(() => server[Symbol.asyncDispose]())
  if (answer) server.respond = answer
  const clock = testClock()
  const log = testLog()
  const keys = await createKeyStore(keyUrl(server.url), { clock, log })
  onTestFinished(() => keys[Symbol.asyncDispose]())
  return { keys, server, clock, log }
}

const kids = (set: KeySet | null): unknown => set?.map(({ id }) => id)

test('refreshes at most once in 10 seconds', async () => {
  const { keys, server, clock } = await keyStore()
  expect(server.hits).toBe(1)
  await keys.refresh()
  expect(server.hits).toBe(2)
  for (let second = 0; second < 9; second += 1) {
    clock.advance(1)
    await keys.refresh()
  }
  expect(server.hits).toBe(2)
  clock.advance(1)
  await keys.refresh()
  expect(server.hits).toBe(3)
})

test('shares one read among concurrent callers', async () => {
  const { keys, server } = await keyStore()
  server.respond = respondWith(keySetOf(two))
  const sets = await Promise.all([keys.refresh(), keys.refresh(), keys.refresh()])
  expect(sets.map(kids)).toEqual([['two'], ['two'], ['two']])
  expect(server.hits).toBe(2)
})

test('reads a failing source no more often than a working one', async () => {
  const { keys, server } = await keyStore()
  server.respond = respondWith('', 500)
  await keys.refresh()
  expect(kids(await keys.refresh())).toEqual(['one'])
  expect(server.hits).toBe(2)
})

test.each(['not JSON', '{}', ''])('keeps the old keys if the source contains %j', async (text) => {
  const { keys, server, log } = await keyStore()
  server.respond = respondWith(text)
  expect(kids(await keys.refresh())).toEqual(['one'])
  expect(log.lines.at(-1)).toMatchObject({
    level: 'warn',
    message: 'reading the key set failed: the old keys remain',
  })
})

test('drops all keys if the set is empty', async () => {
  const { keys, server } = await keyStore()
  server.respond = respondWith('{"keys":[]}')
  expect(await keys.refresh()).toEqual([])
})

test('returns the same set while the text is the same', async () => {
  const { keys } = await keyStore()
  const before = keys.current()
  expect(await keys.refresh()).toBe(before)
})

test('logs unusable entries once', async () => {
  const unusable = { keys: [one.jwk, { kty: 'oct', k: 'c2VjcmV0' }] }
  const { keys, log } = await keyStore(respondWith(JSON.stringify(unusable)))
  await keys.refresh()
  expect(log.lines).toMatchObject([
    {
      level: 'warn',
      fields: { kids: ['one'], skipped: [expect.stringMatching(/^keys\[1\]: /)] },
      message: 'key set read: 1 usable keys, 1 others',
    },
  ])
})

test('does not log secrets in the URL', async () => {
  const { keys, server, log } = await keyStore()
  server.respond = respondWith('', 500)
  await keys.refresh()
  expect(JSON.stringify(log.lines)).not.toContain('s3cret')
})

test('refreshes once per second while no keys are loaded', async () => {
  const { keys, server, clock } = await keyStore(respondWith('', 503))
  expect(keys.current()).toBeNull()
  expect(await keys.refresh()).toBeNull()
  expect(await keys.refresh()).toBeNull()
  expect(server.hits).toBe(2)
  server.respond = respondWith(keySetOf(one))
  clock.advance(1)
  expect(kids(await keys.refresh())).toEqual(['one'])
})

test('reads again every five minutes until it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { keys, server } = await keyStore()
  server.respond = respondWith(keySetOf(two))
  vi.advanceTimersByTime(299_999)
  expect(server.hits).toBe(1)
  vi.advanceTimersByTime(1)
  await expect.poll(() => kids(keys.current())).toEqual(['two'])
  expect(server.hits).toBe(2)
  await keys[Symbol.asyncDispose]()
  vi.advanceTimersByTime(600_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('aborts the current read without a log line when it is closed', async () => {
  const { keys, server, log } = await keyStore()
  const asked = new Promise<void>((resolve) => {
    server.respond = () => resolve()
  })
  const refresh = keys.refresh()
  await asked
  await keys[Symbol.asyncDispose]()
  expect(kids(await refresh)).toEqual(['one'])
  expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([])
})
