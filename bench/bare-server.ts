// A process of its own: what node:http alone costs. It answers GET with constants that its parent
// sends, and parses and echoes the JSON of anything else.
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

let answers: readonly Buffer[] = [Buffer.from('{}')]
let turn = 0

function answer(response: ServerResponse, status: number, body: Buffer | string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString())
    answer(response, request.method === 'POST' ? 201 : 200, JSON.stringify(value))
  })
}

const server = http.createServer((request, response) => {
  if (request.method !== 'GET') {
    echo(request, response)
    return
  }
  turn = (turn + 1) % answers.length
  answer(response, 200, answers[turn] ?? '{}')
})

process.on('message', (texts: readonly string[]) => {
  answers = texts.map((text) => Buffer.from(text))
  process.send?.('changed')
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  process.send?.((server.address() as AddressInfo).port)
})
