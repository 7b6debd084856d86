import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createListener } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { selfSignedFiles } from '../../../../http/server/tls/self-signed.ts'
import { silentLog, temporaryFolder } from '../../../../http/server/tls/fixtures.ts'
import { listen } from '../../../../lib/listen.ts'
import { type ApiGateway, openApiGateway } from './api-gateway.ts'

const HEAD = 'Host: x\r\nAuthorization: Bearer mine\r\n'

interface Opened {
  readonly gateway: ApiGateway
  /** Connects as a sandbox. */
  readonly connect: () => Promise<TLSSocket>
  /** Sends bytes over a new connection, and reads until it is closed. */
  readonly send: (bytes: string) => Promise<string>
}

async function identity() {
  const options = { host: '127.0.0.1', machine: 'machine', now: new Date() }
  const files = await selfSignedFiles({ ...options, dataDir: await temporaryFolder() })
  const [certificate, key] = await Promise.all([
    readFile(files.caFile, 'utf8'),
    readFile(files.keyFile, 'utf8'),
  ])
  return { certificate, key }
}

/** A gateway on the loopback interface, before a server. */
async function gatewayBefore(server: RequestListener): Promise<Opened> {
  const api = createServer(server)
  const url = `http://127.0.0.1:${await listen(api, 0, '127.0.0.1')}`
  const listener = createListener()
  const port = await listen(listener, 0, '127.0.0.1')
  const gateway = await openApiGateway({
    networks: {
      modes: ['None'],
      problem: '',
      listen: () => Promise.resolve(listener),
      apiPlaneOf: (address) => (address === '127.0.0.1' ? 'paris' : null),
    },
    identity,
    log: silentLog,
  })
  gateway.heard({ url, certificate: '' })
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]()
    api.closeAllConnections()
    api.close()
  })
  const connect = async () => {
    const socket = connectTls({ host: '127.0.0.1', port, ca: gateway.certificate })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    return socket
  }
  return {
    gateway,
    connect,
    send: async (bytes) => {
      const socket = await connect()
      socket.write(bytes)
      return text(socket).catch(() => '')
    },
  }
}

it('passes on the path below the plane with the headers of the list only', async () => {
  const { send } = await gatewayBefore((request, response) => {
    response.end(JSON.stringify({ url: request.url, headers: request.headers }))
  })
  const others = ['X-Forwarded-For: 1.1.1.1', 'X-Flotilla-Sandbox: forged', 'X-Tenant: other']
  const own = ['Impersonate-User: ada', 'Connection: authorization, close', ...others]
  const answer = await send(`GET /version?a=/../b HTTP/1.1\r\n${HEAD}${own.join('\r\n')}\r\n\r\n`)
  const { url, headers } = JSON.parse(
    answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1),
  )
  expect(url).toBe('/clusters/paris/control-plane/version?a=/../b')
  expect(headers).toEqual({
    authorization: 'Bearer mine',
    'impersonate-user': 'ada',
    'x-flotilla-sandbox': '127.0.0.1',
    host: expect.stringContaining('127.0.0.1:'),
    connection: 'close',
  })
})

it.each([
  ['another form of target', 'GET http://other/x HTTP/1.1\r\n', ''],
  ['dot segments', 'GET /a/%2e%2e/x HTTP/1.1\r\n', ''],
  ['backslashes around dots', 'GET /a\\..\\x HTTP/1.1\r\n', ''],
  [
    'a length and chunks',
    'POST /a HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n',
    '0\r\n\r\n',
  ],
  ['two lengths', 'POST /a HTTP/1.1\r\nContent-Length: 4\r\nContent-Length: 3\r\n', 'abcd'],
])('answers a request with %s itself', async (_name, line, body) => {
  const { send } = await gatewayBefore((_request, response) => void response.end('reached'))
  expect(await send(`${line}${HEAD}\r\n${body}`)).toMatch(/^HTTP\/1\.1 400 /)
})

it('closes a connection with a second request before the answer to the first', async () => {
  let requests = 0
  const { send } = await gatewayBefore(() => void (requests += 1))
  const watch = `GET /watch HTTP/1.1\r\n${HEAD}\r\n`
  expect(await send(watch.repeat(100))).toBe('')
  expect(requests).toBeLessThan(2)
})

it('ends a watch at the server when the sandbox has left', async () => {
  const left = new EventEmitter()
  const { connect } = await gatewayBefore((_request, response) => {
    response.once('close', () => left.emit('watch'))
    response.write('{}')
  })
  const socket = await connect()
  socket.write(`GET /watch HTTP/1.1\r\n${HEAD}\r\n`)
  await once(socket, 'data')
  const ended = once(left, 'watch')
  socket.destroy()
  await ended
})

it('closes connections of sandboxes with the runtime, also those with half a request', async () => {
  const { gateway, connect, send } = await gatewayBefore((_request, response) => {
    response.end('{}')
  })
  const socket = await connect()
  socket.write('GET /a HTTP/1.1\r\n')
  await send(`GET /a HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`)
  const closed = once(socket, 'close')
  socket.on('error', () => undefined).resume()
  await gateway[Symbol.asyncDispose]()
  await closed
})
