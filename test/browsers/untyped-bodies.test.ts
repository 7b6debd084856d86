import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { portOf, type RawRequest, sendLines } from './raw-request.ts'

const HOST = 'Host: localhost:8000'
const OWN = 'Origin: http://localhost:8000'
const MAPS = '/api/v1/namespaces/default/configmaps'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

let names = 0

/** Creates a cluster and a config map with these headers, and returns the responses. */
async function create(lines: readonly string[]) {
  names += 1
  const name = `untyped-${names}`
  const send = (request: Partial<RawRequest>) =>
    sendLines(portOf(server.origin), { method: 'POST', lines: [HOST, ...lines], ...request })
  return {
    cluster: await send({ body: JSON.stringify({ kind: 'Cluster', name, spec: {} }) }),
    map: await send({ target: MAPS, body: JSON.stringify({ metadata: { name } }) }),
  }
}

test('a body without Content-Type counts as JSON if no browser sent it', async () => {
  const { cluster, map } = await create([])
  expect([cluster.status, map.status]).toEqual([201, 201])
})

test.each([OWN, 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty'])(
  'a body without Content-Type is 415 with %s',
  async (line) => {
    for (const more of [[], ['Content-Type: ; charset=utf-8']]) {
      const { cluster, map } = await create([line, ...more])
      expect([cluster.status, cluster.text]).toEqual([
        415,
        expect.stringContaining('The Content-Type is missing'),
      ])
      expect([map.status, JSON.parse(map.text).kind]).toEqual([415, 'Status'])
    }
    const { cluster, map } = await create([line, 'Content-Type: application/json'])
    expect([cluster.status, map.status]).toEqual([201, 201])
  },
)

test('an empty body needs no Content-Type', async () => {
  const request = { method: 'DELETE', target: `${MAPS}/unknown`, lines: [HOST, OWN] }
  expect((await sendLines(portOf(server.origin), request)).status).toBe(404)
})
