import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Response } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { drain } from './drain.ts'
import { open, readAll, serveApp, type TestServer } from './fixtures.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server that responds when the test releases the request. */
async function holdingServer(): Promise<TestServer & { held: Response[] }> {
  const held: Response[] = []
  const server = await serveApp((app) => {
    app.get('/', (_request, response) => void held.push(response))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return Object.assign(server, { held })
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(2)
}

test('finishes an active request and closes its connection', async () => {
  const { server, port, held } = await holdingServer()
  const socket = await open(port)
  socket.write(GET)
  await until(() => held.length === 1)
  const drained = drain(server, { timeoutMs: 5000 })
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
  held[0]?.send('done')
  const answer = await readAll(socket)
  expect(answer).toMatch(/\r\nConnection: close\r\n/i)
  expect(answer).toMatch(/done$/)
  await drained
})

test('closes the connection of a response that has already started', async () => {
  const { server, port, held } = await holdingServer()
  const socket = await open(port)
  socket.write(GET)
  await until(() => held.length === 1)
  held[0]?.write('begun ')
  const drained = drain(server, { timeoutMs: 5000 })
  held[0]?.end('done')
  expect(await readAll(socket)).toMatch(/begun [\s\S]*done/)
  await drained
})

test('closes idle connections immediately, including those without a request', async () => {
  const { server, port, held } = await holdingServer()
  const silent = await open(port)
  const idle = await open(port)
  idle.write(GET)
  await until(() => held.length === 1)
  held[0]?.send('x')
  await new Promise((resolve) => idle.once('data', resolve))
  // Longer than the timeout of a test, which fails if the drain waits.
  await drain(server, { timeoutMs: 60_000 })
  await Promise.all([readAll(silent), readAll(idle)])
})

test('responds to a request that was being sent with Connection: close', async () => {
  const { server, port, held } = await holdingServer()
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const socket = await open(port)
  socket.write('GET / HTTP/1.1\r\nHo')
  const received = await accepted
  await until(() => received.bytesRead > 0)
  const drained = drain(server, { timeoutMs: 5000 })
  socket.write('st: x\r\n\r\n')
  await until(() => held.length === 1)
  held[0]?.send('done')
  expect(await readAll(socket)).toMatch(/Connection: close[\s\S]*done$/i)
  await drained
})

test('destroys the remaining connections after the timeout', async () => {
  const { server, port, held } = await holdingServer()
  const socket = await open(port)
  socket.write(GET)
  await until(() => held.length === 1)
  await drain(server, { timeoutMs: 100 })
  await readAll(socket).catch(() => undefined)
  expect(socket.destroyed).toBe(true)
})

test('resolves for a server that does not listen', async () => {
  const { server } = await holdingServer()
  await drain(server, { timeoutMs: 100 })
  await drain(server, { timeoutMs: 100 })
})
