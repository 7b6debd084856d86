import net from 'node:net'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { startWhenAvailable } from '../../src/cmd/start-when-available.ts'
import { readConfig } from '../../src/cmd/settings.ts'
import { assert } from '../../src/lib/assert.ts'
import { LONG_TIMEOUTS } from '../support/long-timeouts.ts'
import { createTestDatabase } from '../support/test-database.ts'

interface Messages {
  /** The number of messages from clients so far. */
  count: number
  /** The message at which all connections break, as PostgreSQL stops. */
  breaksAt: number
}

/** A proxy that breaks all connections at one message, and rejects the next two. */
async function startBreakingProxy(url: string, messages: Messages): Promise<string> {
  const sockets = new Set<net.Socket>()
  let rejections = 0
  const { hostname, port, searchParams } = new URL(url)
  const directory = searchParams.get('host')
  const number = Number(searchParams.get('port') ?? (port === '' ? 5432 : port))
  const server = net.createServer((client) => {
    client.on('error', () => client.destroy())
    if (rejections > 0) {
      rejections -= 1
      client.destroy()
      return
    }
    const upstream = net.connect(
      directory === null
        ? { host: hostname, port: number }
        : { path: `${directory}/.s.PGSQL.${number}` },
    )
    upstream.on('error', () => upstream.destroy())
    for (const socket of [client, upstream]) sockets.add(socket)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    upstream.pipe(client, { end: false })
    client.on('data', (bytes) => {
      messages.count += 1
      if (messages.count === messages.breaksAt) {
        rejections = 2
        for (const socket of sockets) socket.destroy()
      } else upstream.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert(typeof address === 'object' && address !== null, 'a TCP address')
  const proxied = new URL(url)
  for (const name of ['host', 'port']) proxied.searchParams.delete(name)
  return Object.assign(proxied, { hostname: '127.0.0.1', port: String(address.port) }).href
}

/** Starts a server, and returns the number of messages that its start has sent. */
async function start(url: string, messages: Messages): Promise<number> {
  const config = readConfig(kinds, {
    DATABASE_URL: await startBreakingProxy(url, messages),
    PORT: '0',
    HEALTH_PORT: '0',
    METRICS_PORT: '0',
    SANDBOX_RUNTIME: 'off',
    ...LONG_TIMEOUTS,
  })
  const log = pino({ level: 'silent' })
  await using flotilla = await startWhenAvailable(config, { log })
  const { count } = messages
  // The last messages come from the background, which recovers by itself.
  const probe = () => fetch(`http://127.0.0.1:${flotilla.healthPort}/readyz`)
  await expect.poll(async () => (await probe()).status).toBe(200)
  // Messages follow the broken one, at the latest those of the background.
  await expect.poll(() => messages.count).toBeGreaterThan(messages.breaksAt)
  return count
}

test('a server starts although PostgreSQL restarts at any moment of the start', async () => {
  await using database = await createTestDatabase()
  const total = await start(database.url, { count: 0, breaksAt: -1 })
  expect(total).toBeGreaterThan(20)
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    await start(database.url, { count: 0, breaksAt: Math.ceil(total * part) })
  }
})
