import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import express, { type Response } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { problemOf } from '../../../hyperfleet/errors/problem.ts'
import { drain } from '../drain.ts'
import { readAll, serve, type TestServer } from '../fixtures.ts'
import { createHttpServer } from '../http-server.ts'
import type { CertificateSource } from './certificate-source.ts'
import { createPair, getOverTls } from './fixtures.ts'
import type { KeyPair } from './key-pair.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const FINISHED = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

interface Serving extends TestServer {
  readonly pair: KeyPair
  readonly held: Response[]
  readonly replace: (pair: KeyPair) => void
}

/** A server over TLS that responds when the test releases the request. */
async function servingTls(): Promise<Serving> {
  let pair = await createPair()
  const first = pair
  const callbacks: ((pair: KeyPair) => void)[] = []
  const certificate: CertificateSource = {
    current: () => pair,
    onChange: (callback) => void callbacks.push(callback),
    [Symbol.dispose]: () => undefined,
  }
  const app = express()
  const held: Response[] = []
  app.get('/', (_request, response) => void held.push(response))
  app.get('/done', (_request, response) => void response.send('done'))
  const server = await serve(createHttpServer(app, { renderError: problemOf, certificate }))
  onTestFinished(() => server[Symbol.asyncDispose]())
  const replace = (next: KeyPair): void => {
    pair = next
    for (const callback of callbacks) callback(next)
  }
  return Object.assign(server, { pair: first, held, replace })
}

async function openTls(
  { port, pair }: Serving,
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca: pair.cert, ...options })
  await once(socket, 'secureConnect')
  return socket
}

async function holding(serving: Serving): Promise<TLSSocket> {
  const socket = await openTls(serving)
  socket.write(GET)
  await expect.poll(() => serving.held.length).toBe(1)
  return socket
}

test('serves HTTPS to a client that trusts the certificate', async () => {
  const { port, pair } = await servingTls()
  const url = `https://127.0.0.1:${port}/done`
  expect(await getOverTls(url, pair.cert)).toEqual({ status: 200, text: 'done' })
  const { cert } = await createPair()
  await expect(getOverTls(url, cert)).rejects.toThrow('self-signed certificate')
})

test('speaks TLS 1.2 and 1.3 and rejects TLS 1.1', async () => {
  const serving = await servingTls()
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const socket = await openTls(serving, { minVersion: version, maxVersion: version })
    expect(socket.getProtocol()).toBe(version)
    socket.destroy()
  }
  const old = openTls(serving, {
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  await expect(old).rejects.toThrow(/protocol version|alert/)
})

test('negotiates HTTP/1.1', async () => {
  const socket = await openTls(await servingTls(), { ALPNProtocols: ['h2', 'http/1.1'] })
  expect(socket.alpnProtocol).toBe('http/1.1')
  socket.destroy()
})

test('uses a new certificate for new connections and keeps open ones', async () => {
  const serving = await servingTls()
  const socket = await holding(serving)
  const next = await createPair()
  serving.replace(next)
  const url = `https://127.0.0.1:${serving.port}/done`
  expect(await getOverTls(url, next.cert)).toMatchObject({ status: 200 })
  await expect(getOverTls(url, serving.pair.cert)).rejects.toThrow('self-signed certificate')
  serving.held[0]?.set('Connection', 'close').send('kept')
  expect(await readAll(socket)).toMatch(/kept$/)
})

test('rejects headers over the limit as the plain server does', async () => {
  const socket = await openTls(await servingTls())
  socket.write(
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: ${'a'.repeat(70_000)}\r\n\r\n`,
  )
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 431 /)
})

test('closes a connection that speaks plain HTTP and continues to serve', async () => {
  const { port, pair } = await servingTls()
  const socket = connectTcp(port, '127.0.0.1')
  socket.write(FINISHED)
  expect(await readAll(socket).catch(() => '')).not.toMatch(/200/)
  expect(await getOverTls(`https://127.0.0.1:${port}/done`, pair.cert)).toMatchObject({
    status: 200,
  })
})

test('drains: finishes the active request, closes silent connections and handshakes', async () => {
  const serving = await servingTls()
  const handshake = connectTcp(serving.port, '127.0.0.1')
  await once(handshake, 'connect')
  const silent = await openTls(serving)
  const active = await holding(serving)
  // Longer than the timeout of a test, which fails if the drain waits.
  const drained = drain(serving.server, { timeoutMs: 60_000 })
  await Promise.all([readAll(silent), readAll(handshake)])
  serving.held[0]?.send('finished')
  expect(await readAll(active)).toMatch(/Connection: close[\s\S]*finished$/i)
  await drained
})
