import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { selfSignedFiles } from '../../../src/http/server/tls/self-signed.ts'
import {
  type HttpCheckSchema,
  ProbeSchema,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { checkInstance } from '../../../src/sandboxes/drivers/runtime/probes/check-instance.ts'
import {
  connectInMachine,
  connectThrough,
} from '../../../src/sandboxes/drivers/runtime/probes/connect.ts'

const NEVER = new AbortController().signal
const WAYS = [
  { name: 'directly', connect: connectInMachine },
  {
    name: 'through a command',
    connect: connectThrough(['/usr/bin/perl'], (command) => ({ command })),
  },
]

describe.each(WAYS)('a check $name', ({ connect }) => {
  const check = (value: MessageInitShape<typeof HttpCheckSchema>, timeoutSeconds = 60) =>
    checkInstance(
      { connect, exec: () => expect.unreachable() },
      create(ProbeSchema, { timeoutSeconds, check: { case: 'http', value } }),
      NEVER,
    )

  it('accepts every certificate', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'check-'))
    const options = { dataDir, host: 'other.example.com', machine: 'other', now: new Date() }
    const { certFile } = await selfSignedFiles(options)
    const pem = await readFile(certFile)
    await rm(dataDir, { recursive: true })
    const pair = { cert: pem, key: pem }
    const server = https.createServer(pair, (request, response) => {
      response.writeHead(request.url === '/good' ? 200 : 503).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    expect(await check({ port, path: '/good', tls: true })).toMatchObject({ isSuccess: true })
    expect(await check({ port, path: '/bad', tls: true })).toEqual({
      isSuccess: false,
      message: 'HTTP status 503',
    })
    server.close()
    await once(server, 'close')
    expect(await check({ port, path: '/good', tls: true })).toEqual({
      isSuccess: false,
      message: 'connection refused',
    })
  })

  it('follows redirects within the sandbox', async () => {
    const targets: Readonly<Record<string, string>> = {
      '/inside': '/good?a=b',
      '/away': 'http://198.51.100.1/',
      '/other-scheme': 'ftp://127.0.0.1/',
      '/endless': '/endless',
    }
    const server = http.createServer(({ url = '' }, response) => {
      const location = targets[url]
      if (location === undefined) response.writeHead(url === '/good?a=b' ? 204 : 404).end()
      else response.writeHead(302, { location }).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    for (const path of ['/inside', '/away', '/other-scheme']) {
      expect([path, await check({ port, path })]).toEqual([path, { isSuccess: true, message: '' }])
    }
    const endless = await check({ port, path: '/endless' })
    expect(endless).toEqual({ isSuccess: false, message: 'more than 10 redirects' })
    server.close()
  })

  it('fails without an answer in time', async () => {
    const sockets: net.Socket[] = []
    const server = net.createServer((socket) => sockets.push(socket))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    expect(await check({ port, path: '/' }, 1)).toEqual({
      isSuccess: false,
      message: 'no answer in 1 s',
    })
    // The connection ends with the check.
    for (const socket of sockets) if (!socket.destroyed) await once(socket.resume(), 'close')
    server.close()
  })
})
