import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createShardDirectory } from '../../src/shards/shard-directory.ts'
import { listShards, setAcceptsTenants } from '../../src/shards/storage/directory.ts'
import { startTcpProxy } from '../storage/tcp-proxy.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { register } from './shard-servers.ts'

const URLS = { database: 'postgresql://db-1/flotilla', servers: ['http://flotilla-1:8000'] }

/** A directory behind a proxy, with the shard `a`. */
async function openDirectory() {
  const database = await createTestDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const proxy = await startTcpProxy(database.url)
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const proxied = openTestDatabase(proxy.url)
  onTestFinished(() => proxied[Symbol.asyncDispose]())
  await register(database.url, { name: 'a', ...URLS })
  const clock = { ms: 0 }
  const directory = createShardDirectory(proxied, () => clock.ms)
  const names = async () => [...(await directory.shards.cached()).keys()]
  return { url: database.url, proxy, directory, clock, names }
}

test('the known shards are used while the directory does not answer', async () => {
  const { url, proxy, clock, names } = await openDirectory()
  expect(await names()).toEqual(['a'])
  proxy.set('hang')
  clock.ms += 10_000
  // The first call begins a read, and the second one finds it.
  for (let call = 0; call < 2; call += 1) {
    const turn = setImmediate('the call waits for the read')
    expect(await Promise.race([names(), turn])).toEqual(['a'])
  }
  await register(url, { name: 'b', ...URLS })
  proxy.set('pass')
  const later = () => {
    clock.ms += 10_000
    return names()
  }
  await expect.poll(later).toEqual(['a', 'b'])
})

test('a new shard is found if its name is needed, or after an idle time', async () => {
  const { url, directory, clock, names } = await openDirectory()
  expect(await names()).toEqual(['a'])
  await register(url, { name: 'b', ...URLS })
  expect(await names()).toEqual(['a'])
  expect([...(await directory.shards.read()).keys()]).toEqual(['a', 'b'])
  await register(url, { name: 'c', ...URLS })
  clock.ms += 60_000
  expect(await names()).toEqual(['a', 'b', 'c'])
})

test('new URLs of a closed shard do not open it', async () => {
  await using database = await createTestDatabase()
  await using directory = openTestDatabase(database.url)
  await register(database.url, { name: 'a', ...URLS })
  expect(await setAcceptsTenants(directory, 'a', false)).toBe(true)
  const servers = ['http://flotilla-2:8000']
  await register(database.url, { name: 'a', ...URLS, servers })
  expect(await listShards(directory)).toEqual([
    { name: 'a', ...URLS, servers, acceptsTenants: false, tenants: 0 },
  ])
})
