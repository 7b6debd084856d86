import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { metricOf, openWatch } from './watch-client.ts'

const SPEC = { text: 'x'.repeat(300_000) }
/** Of such specs: more than the buffers of a connection take. */
const MANY = 40

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function create(path: string, body: object): Promise<string> {
  const answer = await server.post(path, { name: newName(), spec: {}, ...body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

async function createMany(path: string, body: object, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) ids.push(await create(path, body))
  return ids
}

function poolsOf(clusterId: string): string {
  return `/clusters/${clusterId}/nodepools`
}

async function tokenOf(path: string): Promise<string> {
  return (await server.get(path)).body.resource_version
}

function slowEnds(): Promise<number> {
  return metricOf(server, 'flotilla_watches_ended_total{reason="slow"}')
}

it('sends a large state to a slow client', async () => {
  const path = poolsOf(await create('/clusters', { kind: 'Cluster' }))
  const ids = await createMany(path, { kind: 'NodePool', spec: SPEC }, MANY)
  using watch = await openWatch(server, `${path}?watch=true`)
  watch.pause()
  await sleep(2500)
  watch.resume()
  await watch.until(({ type }) => type === 'BOOKMARK')
  expect(watch.changes().map(({ object }) => object.id)).toEqual(ids)
})

it('continues after a large number of old changes, and after a large snapshot', async () => {
  const cluster = await create('/clusters', { kind: 'Cluster' })
  const path = poolsOf(cluster)
  const from = await tokenOf(path)
  const ids = await createMany(path, { kind: 'NodePool', spec: SPEC }, MANY)
  using past = await openWatch(server, `${path}?watch=true&resourceVersion=${from}`)
  past.pause()
  using snapshot = await openWatch(server, `/clusters/${cluster}/snapshot?watch=true`)
  snapshot.pause()
  using other = await openWatch(server, `${path}?watch=true&resourceVersion=${await tokenOf(path)}`)
  const last = await create(path, { kind: 'NodePool' })
  await other.until(({ object }) => object.id === last)
  past.resume()
  snapshot.resume()
  await past.until(({ object }) => object.id === last)
  await snapshot.until(({ object }) => object.id === last)
  expect(past.changes().map(({ object }) => object.id)).toEqual([...ids, last])
})

it('sends a burst of large events to a reading client', async () => {
  const path = poolsOf(await create('/clusters', { kind: 'Cluster' }))
  const ids = await createMany(path, { kind: 'NodePool' }, 12)
  using watch = await openWatch(server, `${path}?watch=true&resourceVersion=${await tokenOf(path)}`)
  await Promise.all(ids.map((id) => server.patch(`${path}/${id}`, { spec: SPEC })))
  for (const id of ids) {
    await watch.until(({ type, object }) => type === 'MODIFIED' && object.id === id)
  }
})

it('closes the connection of a client that does not read, without another event', async () => {
  const before = await slowEnds()
  const path = poolsOf(await create('/clusters', { kind: 'Cluster' }))
  const from = await tokenOf(path)
  using watch = await openWatch(server, `${path}?watch=true&resourceVersion=${from}`)
  watch.pause()
  await createMany(path, { kind: 'NodePool', spec: SPEC }, MANY)
  while ((await slowEnds()) === before) await sleep(50)
})

/** The sizes of the HTTP chunks of a response, up to its first bookmark. */
async function chunkSizesOf(path: string): Promise<number[]> {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${BASE_PATH}${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  let text = ''
  for await (const piece of socket.setEncoding('latin1')) {
    text += piece
    if (text.includes('"BOOKMARK"') && text.endsWith('\r\n')) break
  }
  const sizes: number[] = []
  for (let at = text.indexOf('\r\n\r\n') + 4; at < text.length;) {
    const end = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, end), 16)
    sizes.push(size)
    at = end + 2 + size + 2
  }
  return sizes
}

it('sends a large state in chunks', async () => {
  const path = poolsOf(await create('/clusters', { kind: 'Cluster' }))
  await createMany(path, { kind: 'NodePool', spec: { text: 'x'.repeat(100_000) } }, 20)
  const sizes = await chunkSizesOf(`${path}?watch=true`)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2_000_000)
  expect(Math.max(...sizes)).toBeLessThan(400_000)
})
