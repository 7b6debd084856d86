import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectClient } from '../../bench/servers/http-client.ts'

test('the client of the benchmark repeats a request if the server resets the idle connection', async () => {
  const answered = new Set<Socket>()
  const server = http.createServer((request, response) => {
    const { socket } = request
    if (answered.has(socket)) socket.resetAndDestroy()
    else response.end(String(answered.add(socket).size))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the address of a TCP server
  const { port } = server.address() as AddressInfo
  await using client = connectClient(`http://127.0.0.1:${port}`, 1)
  const texts: string[] = []
  for (let count = 0; count < 3; count += 1) {
    texts.push((await client.requestPath('GET', '/')).text)
  }
  expect(texts).toEqual(['1', '2', '3'])
})
