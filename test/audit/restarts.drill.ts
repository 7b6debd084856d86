import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { createDebianCluster } from '../storage/debian-postgres.ts'

const RESTARTS = Number(process.env['RESTARTS'] ?? 12)
const WRITERS = 8
const MAPS = '/api/v1/namespaces/default/configmaps'

interface Load {
  /** The request IDs of acknowledged writes. */
  readonly acknowledged: string[]
  isRunning: boolean
}

/** Creates and changes clusters and objects of the root plane until the load ends. */
async function write(server: TestServer, load: Load): Promise<void> {
  const send = async (method: string, path: string, body: object, type = 'application/json') => {
    const requestId = randomUUID()
    const headers = { 'Content-Type': type, 'X-Request-ID': requestId }
    const text = JSON.stringify(body)
    const sent = fetch(server.origin + path, { method, headers, body: text })
    const response = await sent.catch(() => null)
    if (response?.ok !== true) {
      await response?.arrayBuffer().catch(() => undefined)
      return null
    }
    // The client has the whole response, as a caller that acts on it.
    const answer: unknown = await response.json().catch(() => null)
    if (answer !== null) load.acknowledged.push(requestId)
    return Object(answer)
  }
  while (load.isRunning) {
    const name = `c-${randomUUID().slice(0, 18)}`
    const created = await send('POST', `${BASE_PATH}/clusters`, creation('Cluster', { name }))
    if (created?.id)
      await send('PATCH', `${BASE_PATH}/clusters/${created.id}`, { spec: { changed: true } })
    const map = await send('POST', MAPS, { metadata: { name } })
    if (map !== null)
      await send('PATCH', `${MAPS}/${name}`, { data: { a: 'b' } }, 'application/merge-patch+json')
    if (created === null) await sleep(50)
  }
}

test('every acknowledged write has an event, however often PostgreSQL restarts', async () => {
  await using cluster = must(await createDebianCluster(), 'PostgreSQL 15')
  let postgres = await cluster.start('data')
  const load: Load = { acknowledged: [], isRunning: true }
  await using server = await startTestServer({ databaseUrl: postgres.url })
  const writers = Array.from({ length: WRITERS }, () => write(server, load))
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const wanted = load.acknowledged.length + 100
    await expect.poll(() => load.acknowledged.length).toBeGreaterThan(wanted)
    // A fast shutdown, and a crash.
    if (restart % 2 === 1) process.kill(postgres.pid, 'SIGQUIT')
    await postgres.stop()
    postgres = await cluster.start('data')
  }
  load.isRunning = false
  await Promise.all(writers)
  const missing = async () => {
    const rows = await queryDatabase(server, 'select request_id from audit_events')
    const found = new Set(rows.map((row) => row['request_id']))
    return load.acknowledged.filter((id) => !found.has(id))
  }
  await expect.poll(missing).toEqual([])
  const metrics = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  console.log(
    `${load.acknowledged.length} acknowledged writes, ${RESTARTS} restarts`,
    metrics.split('\n').filter((line) => line.startsWith('flotilla_audit')),
  )
  await server[Symbol.asyncDispose]()
  await postgres.stop()
})
