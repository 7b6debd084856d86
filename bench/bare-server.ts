// The bare server process: a node:http server without a framework. It serves GET with constant bodies
// that its parent sends, and echoes the JSON body of any other request.
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

let bodies: readonly Buffer[] = [Buffer.from('{}')]
let next = 0

function respond(response: ServerResponse, status: number, body: Buffer | string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString())
    respond(response, request.method === 'POST' ? 201 : 200, JSON.stringify(value))
  })
}

const server = http.createServer((request, response) => {
  if (request.method !== 'GET') {
    echo(request, response)
    return
  }
  next = (next + 1) % bodies.length
  respond(response, 200, bodies[next] ?? '{}')
})

process.on('message', (texts: readonly string[]) => {
  bodies = texts.map((text) => Buffer.from(text))
  process.send?.('changed')
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  process.send?.((server.address() as AddressInfo).port)
})
