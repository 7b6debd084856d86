import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { respondWith, keySetOf, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { conditionsOf, newName, queryDatabase, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { catchUp } from '../feed/catch-up.ts'
import { lockTable } from '../storage/row-lock.ts'
import { metricOf, openWatch, revisionOf, stateOf, type WatchClient } from './watch-client.ts'

const EVENT_STREAM = { Accept: 'text/event-stream' }

async function createCluster(server: TestServer, members: object = {}) {
  const body = { kind: 'Cluster', name: newName(), spec: {}, ...members }
  const answer = await server.post('/clusters', body)
  expect(answer.status).toBe(201)
  return answer.body
}

async function createPool(server: TestServer, clusterId: string) {
  const body = { kind: 'NodePool', name: newName(), spec: {} }
  const answer = await server.post(`/clusters/${clusterId}/nodepools`, body)
  expect(answer.status).toBe(201)
  return answer.body
}

function search(text: string): string {
  return `search=${encodeURIComponent(text)}`
}

async function tokenOf(server: TestServer, path = '/clusters'): Promise<string> {
  return (await server.get(path)).body.resource_version
}

function summaryOf(client: WatchClient) {
  return client.changes().map(({ type, object }) => [type, object.id ?? object.adapter])
}

/** Waits until the condition holds. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}

describe('a watch', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ env: { WATCHES: 'heartbeat=1s' } })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('sends the existing objects, a bookmark, then every change', async () => {
    const { id: cluster } = await createCluster(server)
    const first = await createPool(server, cluster)
    const path = `/clusters/${cluster}/nodepools`
    using watch = await openWatch(server, `${path}?watch=true`)
    expect(watch.status).toBe(200)
    expect(watch.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
    })
    const bookmark = await watch.until(({ type }) => type === 'BOOKMARK')
    expect(bookmark.object).toEqual({})
    expect(watch.events[0]).toEqual({ type: 'ADDED', object: first, resource_version: '' })
    const second = await createPool(server, cluster)
    const patched = await server.patch(`${path}/${first.id}`, { labels: { a: 'b' } })
    await server.request('DELETE', `${path}/${second.id}`)
    await server.post(`${path}/${second.id}/force-delete`, { reason: 'test' })
    await watch.until(({ type }) => type === 'DELETED')
    expect(summaryOf(watch)).toEqual([
      ['ADDED', first.id],
      ['ADDED', second.id],
      ['MODIFIED', first.id],
      ['MODIFIED', second.id],
      ['DELETED', second.id],
    ])
    expect(watch.changes()[2]?.object).toEqual(patched.body)
    const revisions = watch
      .changes()
      .slice(1)
      .map((event) => revisionOf(event.resource_version))
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
    expect(new Set(revisions).size).toBe(revisions.length)
    expect([...stateOf(watch.events).values()]).toEqual((await server.get(path)).body.items)
  })

  it('resumes from the resource version of a list or of any event', async () => {
    const list = await server.get('/clusters?pageSize=1')
    expect(list.headers.get('x-resource-version')).toBe(list.body.resource_version)
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) ids.push((await createCluster(server)).id)
    const path = '/clusters?watch=true&resourceVersion='
    using watch = await openWatch(server, path + list.body.resource_version)
    await watch.until(({ object }) => object.id === ids[2])
    expect(summaryOf(watch)).toEqual(ids.map((id) => ['ADDED', id]))
    const version = must(watch.changes()[0], 'a change').resource_version
    using resumed = await openWatch(server, path + version)
    await resumed.until(({ object }) => object.id === ids[2])
    expect(resumed.changes()).toEqual(watch.changes().slice(1))
    using other = await openWatch(
      server,
      `/clusters?watch=true&resource_version=${list.body.resource_version}`,
    )
    await other.until(({ object }) => object.id === ids[2])
    expect(other.changes()).toEqual(watch.changes())
  })

  it('sends server-sent events to clients that accept them', async () => {
    const from = await tokenOf(server)
    const { id } = await createCluster(server)
    using watch = await openWatch(
      server,
      `/clusters?watch=true&resourceVersion=${from}`,
      EVENT_STREAM,
    )
    expect(watch.headers['content-type']).toBe('text/event-stream')
    const first = await watch.until(({ object }) => object.id === id)
    expect(first.id).toBe(first.resource_version)
    await createCluster(server)
    await watch.until((later) => later.type === 'ADDED' && later !== first)
    // The header is newer than the URL, which a browser repeats unchanged.
    using resumed = await openWatch(server, `/clusters?watch=true&resourceVersion=${from}`, {
      ...EVENT_STREAM,
      'Last-Event-ID': first.resource_version,
    })
    await resumed.until(({ type }) => type === 'ADDED')
    expect(resumed.changes()).toEqual(watch.changes().slice(1))
    using anew = await openWatch(server, '/clusters?watch=true', EVENT_STREAM)
    const bookmark = await anew.until(({ type }) => type === 'BOOKMARK')
    expect(bookmark.id).toBe(bookmark.resource_version)
    expect(anew.changes().every((event) => event.id === undefined)).toBe(true)
    await eventually(async () => anew.text.includes('\n\n:\n\n'))
  })

  it('sends objects that begin to match a search as ADDED, and others that cease to as DELETED', async () => {
    const team = newName()
    const from = await tokenOf(server)
    const other = await createCluster(server, { labels: { team: 'other' } })
    const own = await createCluster(server, { labels: { team } })
    const query = `/clusters?watch=true&${search(`labels.team='${team}'`)}`
    using watch = await openWatch(server, `${query}&resourceVersion=${from}`)
    await server.patch(`/clusters/${other.id}`, { labels: { team } })
    await server.patch(`/clusters/${other.id}`, { spec: { a: 1 } })
    const left = await server.patch(`/clusters/${other.id}`, { labels: { team: 'other' } })
    await server.patch(`/clusters/${other.id}`, { spec: { a: 2 } })
    await server.request('DELETE', `/clusters/${own.id}`)
    await server.post(`/clusters/${own.id}/force-delete`, { reason: 'test' })
    await watch.until(({ type, object }) => type === 'DELETED' && object.id === own.id)
    expect(summaryOf(watch)).toEqual([
      ['ADDED', own.id],
      ['ADDED', other.id],
      ['MODIFIED', other.id],
      ['DELETED', other.id],
      ['MODIFIED', own.id],
      ['DELETED', own.id],
    ])
    expect(watch.changes()[3]?.object).toEqual(left.body)
  })

  it('searches conditions that result from reports', async () => {
    const { id } = await createCluster(server)
    const query = `/clusters?watch=true&${search(`id='${id}' and status.conditions.ValidatorSuccessful='True'`)}`
    using watch = await openWatch(server, query)
    await watch.until(({ type }) => type === 'BOOKMARK')
    expect(watch.changes()).toEqual([])
    await server.post(`/clusters/${id}/statuses`, report('validator'))
    const { type, object } = await watch.until(({ object: watched }) => watched.id === id)
    expect(type).toBe('ADDED')
    expect(conditionsOf(object).get('ValidatorSuccessful')?.status).toBe('True')
  })

  it('searches by the times of conditions that it returns', async () => {
    const { id } = await createCluster(server)
    await server.post(`/clusters/${id}/statuses`, report('validator'))
    const { body } = await server.get(`/clusters/${id}`)
    const [{ last_updated_time: shown }] = body.status.conditions
    await sleep(5)
    await server.post(`/clusters/${id}/statuses`, report('validator'))
    const time = 'status.conditions.ValidatorSuccessful.last_updated_time'
    using watch = await openWatch(
      server,
      `/clusters?watch=true&${search(`id='${id}' and ${time} <= '${shown}'`)}`,
    )
    await watch.until(({ type }) => type === 'BOOKMARK')
    expect(summaryOf(watch)).toEqual([['ADDED', id]])
  })

  it('returns only the fields in the parameter fields', async () => {
    const { id, name } = await createCluster(server)
    using watch = await openWatch(
      server,
      `/clusters?watch=true&fields=name&${search(`id='${id}'`)}`,
    )
    await watch.until(({ type }) => type === 'BOOKMARK')
    await server.patch(`/clusters/${id}`, { spec: { a: 1 } })
    await watch.until(({ type }) => type === 'MODIFIED')
    expect(watch.changes().map(({ object }) => object)).toEqual([
      { id, name },
      { id, name },
    ])
  })

  it('sends the reports on a resource', async () => {
    const { id } = await createCluster(server)
    const path = `/clusters/${id}/statuses`
    const first = await server.post(path, report('validator'))
    using watch = await openWatch(server, `${path}?watch=true`)
    using searched = await openWatch(server, `${path}?watch=true&${search("adapter='dns'")}`)
    await watch.until(({ type }) => type === 'BOOKMARK')
    await searched.until(({ type }) => type === 'BOOKMARK')
    await server.post(path, report('validator'))
    const failed = { conditions: [{ type: 'Available', status: 'False' }] }
    await server.post(path, report('validator', failed))
    const second = await server.post(path, report('dns'))
    await server.request('DELETE', `/clusters/${id}`)
    await server.post(`/clusters/${id}/force-delete`, { reason: 'test' })
    await watch.until(({ type, object }) => type === 'DELETED' && object.adapter === 'dns')
    await searched.until(({ type }) => type === 'DELETED')
    await watch.until(({ type, object }) => type === 'DELETED' && object.adapter === 'validator')
    expect(summaryOf(watch).slice(0, 3)).toEqual([
      ['ADDED', 'validator'],
      ['MODIFIED', 'validator'],
      ['ADDED', 'dns'],
    ])
    expect(watch.changes()).toHaveLength(5)
    expect(watch.changes()[0]?.object).toEqual(first.body)
    expect(watch.changes()[2]?.object).toEqual(second.body)
    expect(summaryOf(searched)).toEqual([
      ['ADDED', 'dns'],
      ['DELETED', 'dns'],
    ])
  })

  it('sends all kinds on the list of all kinds', async () => {
    const from = await tokenOf(server, '/resources')
    using watch = await openWatch(server, `/resources?watch=true&resourceVersion=${from}`)
    using pools = await openWatch(
      server,
      `/resources?watch=true&resourceVersion=${from}&${search("kind='NodePool'")}`,
    )
    const { id } = await createCluster(server)
    const pool = await createPool(server, id)
    await watch.until(({ object }) => object.id === pool.id)
    await pools.until(({ object }) => object.id === pool.id)
    expect(summaryOf(watch)).toEqual([
      ['ADDED', id],
      ['ADDED', pool.id],
    ])
    expect(summaryOf(pools)).toEqual([['ADDED', pool.id]])
  })

  it('sends bookmarks with its resource version', async () => {
    const from = await tokenOf(server)
    using lines = await openWatch(server, `/nodepools?watch=true&resourceVersion=${from}`)
    using events = await openWatch(
      server,
      `/nodepools?watch=true&resourceVersion=${from}`,
      EVENT_STREAM,
    )
    const { id } = await createCluster(server)
    const later = ({ type, resource_version: token }: { type: string; resource_version: string }) =>
      type === 'BOOKMARK' && revisionOf(token) > revisionOf(from)
    expect(id).toBeDefined()
    await lines.until(later)
    await events.until(later)
    expect(lines.changes()).toEqual([])
    expect(events.changes()).toEqual([])
  })

  it.each([
    ['watch=maybe', 'watch'],
    ['watch=true&resourceVersion=17', 'resourceVersion'],
    ['watch=true&resourceVersion=ABCDEF00.17', 'resourceVersion'],
    ['watch=true&resource_version=x', 'resource_version'],
    ['watch=true&page=2', 'page'],
    ['watch=true&pageSize=2', 'pageSize'],
    ['watch=true&size=2', 'size'],
    ['watch=true&orderBy=name', 'orderBy'],
    ['watch=true&order=asc', 'order'],
    ['watch=true&ref_type=cloud', 'ref_type'],
    ['watch=true&ref_target_id=x', 'ref_target_id'],
    ['watch=true&resourceVersion=abcdef00.1&resource_version=abcdef00.2', 'resource_version'],
    ['watch=true&fields=nme', 'fields'],
    ['watch=true&search=nme%3D%27x%27', 'search'],
  ])('rejects %s', async (query, field) => {
    for (const path of ['/clusters', '/nodepools', '/resources']) {
      const { status, body } = await server.get(`${path}?${query}`)
      expect({ status, field: body.errors[0].field }).toEqual({ status: 400, field })
    }
  })

  it.each([
    ['text/event-stream;charset=utf-8', 'text/event-stream'],
    ['text/event-stream; charset=UTF-8, */*;q=0.1', 'text/event-stream'],
    ['text/event-stream;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['application/x-ndjson;q=0.5, text/event-stream', 'text/event-stream'],
    ['text/event-stream;q=0, */*', 'application/x-ndjson'],
    ['*/*', 'application/x-ndjson'],
  ])('responds to Accept: %s with %s', async (accept, type) => {
    using watch = await openWatch(server, '/clusters?watch=true', { Accept: accept })
    expect(watch.headers['content-type']).toBe(type)
  })

  it('rejects a Last-Event-ID that is not a resource version', async () => {
    const headers = { ...EVENT_STREAM, 'Last-Event-ID': 'x' }
    const { status, body } = await server.request('GET', '/clusters?watch=true', undefined, headers)
    expect({ status, field: body.errors[0].field }).toEqual({ status: 400, field: 'last-event-id' })
  })

  it('is a list with watch=false', async () => {
    expect((await server.get('/clusters?watch=false')).body.kind).toBe('ClusterList')
  })

  it('is 404 if the list is', async () => {
    for (const path of [
      '/clusters/none/nodepools',
      '/clusters/none/statuses',
      '/clusters/%00/nodepools',
      '/nodepools/none/statuses',
    ]) {
      const { status, body } = await server.get(`${path}?watch=true`)
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'HYPERFLEET-NTF-001' })
    }
  })

  it('is 404 if the list is, also when the check takes longer than a heartbeat', async () => {
    const from = await tokenOf(server)
    using other = await openWatch(server, `/clusters?watch=true&resourceVersion=${from}`)
    const lock = await lockTable(server.databaseUrl, 'resources')
    const answer = server.get(`/clusters/none/nodepools?watch=true&resourceVersion=${from}`)
    await lock.awaited()
    const bookmarks = () => other.events.filter(({ type }) => type === 'BOOKMARK').length
    const enough = bookmarks() + 3
    await eventually(async () => bookmarks() >= enough)
    await lock[Symbol.asyncDispose]()
    const { status, body } = await answer
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'HYPERFLEET-NTF-001' })
  })

  it('is 410 for a resource version of another epoch or of the future', async () => {
    const [epoch = '', revision] = (await tokenOf(server)).split('.')
    const other = epoch === '00000000' ? '11111111' : '00000000'
    for (const token of [`${other}.1`, `${epoch}.${Number(revision) + 1000}`]) {
      const { status, body } = await server.get(`/clusters?watch=true&resourceVersion=${token}`)
      expect({ status, code: body.code }).toEqual({ status: 410, code: 'HYPERFLEET-CNF-004' })
    }
  })

  it('returns only headers for HEAD', async () => {
    const { status, headers, text } = await server.request('HEAD', '/clusters?watch=true')
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    for (const [path, refusal] of [
      ['/clusters/none/nodepools?watch=true', 404],
      ['/clusters?watch=true&search=nme%3D%27x%27', 400],
    ] as const) {
      expect((await server.request('HEAD', path)).status).toBe(refusal)
    }
  })

  it('is removed when its client disconnects', async () => {
    await eventually(async () => (await metricOf(server, 'flotilla_watchers')) === 0)
    const watches = await Promise.all(
      Array.from({ length: 20 }, () => openWatch(server, '/clusters?watch=true')),
    )
    expect(await metricOf(server, 'flotilla_watchers')).toBe(20)
    for (const watch of watches) watch[Symbol.dispose]()
    await eventually(async () => (await metricOf(server, 'flotilla_watchers')) === 0)
    const timed =
      'flotilla_http_request_duration_seconds_count{method="GET",route="/api/hyperfleet/v1/clusters"}'
    const before = await metricOf(server, timed)
    using _watch = await openWatch(server, '/clusters?watch=true')
    expect(await metricOf(server, timed)).toBe(before)
  })
})

describe('the end of a watch', () => {
  it('is a complete response when the server shuts down', async () => {
    const server = await startTestServer({ config: { shutdownTimeoutMs: 600_000 } })
    const from = await tokenOf(server)
    const lines = await openWatch(server, `/clusters?watch=true&resourceVersion=${from}`)
    const events = await openWatch(server, '/clusters?watch=true', EVENT_STREAM)
    await events.until(({ type }) => type === 'BOOKMARK')
    await server[Symbol.asyncDispose]()
    expect(await Promise.all([lines.ended, events.ended])).toEqual(['whole', 'whole'])
    expect(lines.events.at(-1)).toEqual({ type: 'BOOKMARK', object: {}, resource_version: from })
  })

  it('is a complete response at the maximum age, with a resource version to resume from', async () => {
    await using server = await startTestServer({ env: { WATCHES: 'max-age=6s' } })
    const from = await tokenOf(server)
    const { id } = await createCluster(server)
    // The watch begins with the change, however long the log takes to have it.
    await catchUp(server.feed)
    using watch = await openWatch(server, `/clusters?watch=true&resourceVersion=${from}`)
    expect(await watch.ended).toBe('whole')
    const last = watch.events.at(-1)
    expect(last?.type).toBe('BOOKMARK')
    expect(summaryOf(watch)).toEqual([['ADDED', id]])
    expect(await metricOf(server, 'flotilla_watches_ended_total{reason="age"}')).toBe(1)
  })

  it('is a broken connection for a slow client, which misses nothing when it resumes', async () => {
    await using server = await startTestServer({ config: { watchBufferBytes: 65536 } })
    const from = await tokenOf(server)
    using slow = await openWatch(server, `/clusters?watch=true&resourceVersion=${from}`)
    slow.pause()
    const spec = { text: 'x'.repeat(500_000) }
    const ids: string[] = []
    await eventually(async () => {
      ids.push((await createCluster(server, { spec })).id)
      return (await metricOf(server, 'flotilla_watches_ended_total{reason="slow"}')) === 1
    })
    slow[Symbol.dispose]()
    const last = slow.changes().at(-1)?.resource_version ?? from
    using resumed = await openWatch(server, `/clusters?watch=true&resourceVersion=${last}`)
    await resumed.until(({ object }) => object.id === ids.at(-1))
    const received = [...slow.changes(), ...resumed.changes()].map(({ object }) => object.id)
    expect(received).toEqual(ids)
  })

  it('comes when the token expires', async () => {
    const key = signingKey('RS256', 'current')
    await using keys = await serveKeys(key)
    const exp = Math.floor(Date.now() / 1000)
    // The server accepts a token for 30 s after it expires.
    let time = (exp + 30) * 1000 - 1
    const clock = () => new Date(time)
    await using server = await startTestServer({ env: { JWT_JWKS_URL: keys.url }, clock })
    const refused = await server.get('/clusters?watch=true')
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 401,
      code: 'HYPERFLEET-AUT-001',
    })
    const headers = { Authorization: key.bearer({ email: 'ada@example.com', exp }) }
    using watch = await openWatch(server, '/clusters?watch=true', headers)
    expect(watch.status).toBe(200)
    // Before the end of its initial state, a watch has no version for a last bookmark.
    const first = await watch.until(({ type }) => type === 'BOOKMARK')
    time += 1
    expect(await watch.ended).toBe('whole')
    expect(watch.events.at(-1)).toMatchObject({ type: 'BOOKMARK' })
    expect(watch.events.at(-1)).not.toBe(first)
    expect(await metricOf(server, 'flotilla_watches_ended_total{reason="unauthorized"}')).toBe(1)
  })

  it('comes when the key that verified the token is revoked', async () => {
    const [revoked, other] = [signingKey('RS256', 'revoked'), signingKey('RS256', 'other')]
    await using keys = await serveKeys(revoked)
    const env = { JWT_JWKS_URL: keys.url, WATCHES: 'heartbeat=1s' }
    await using server = await startTestServer({ env })
    const claims = { email: 'ada@example.com', exp: Math.floor(Date.now() / 1000) + 3600 }
    const headers = { Authorization: revoked.bearer(claims) }
    const accepted = { Authorization: other.bearer(claims) }
    const body = { kind: 'Cluster', name: newName(), spec: {} }
    const json = { ...headers, 'Content-Type': 'application/json' }
    const { body: made } = await server.request('POST', '/clusters', body, json)
    const paths = ['/clusters?watch=true', `/clusters/${made.id}/snapshot?watch=true`]
    const watches = await Promise.all([
      ...paths.map((path) => openWatch(server, path, headers)),
      openWatch(server, paths[0] ?? '', { ...headers, Accept: 'text/event-stream' }),
    ])
    expect(watches.map(({ status }) => status)).toEqual([200, 200, 200])
    // A watch that ends within its initial state has no version to resume from, and no bookmark.
    for (const watch of watches) await watch.until(({ type }) => type === 'BOOKMARK')
    keys.respond = respondWith(keySetOf(other))
    // A token with an unknown key makes the server read the key set again.
    using stays = await openWatch(server, paths[0] ?? '', accepted)
    for (const watch of watches) {
      expect(await watch.ended).toBe('whole')
      const token = watch.events.at(-1)?.resource_version ?? ''
      expect(watch.events.at(-1)?.type).toBe('BOOKMARK')
      const resumed = `/clusters?watch=true&resourceVersion=${token}`
      const refused = await server.request('GET', resumed, undefined, headers)
      expect(refused).toMatchObject({ status: 401, body: { code: 'HYPERFLEET-AUT-002' } })
    }
    await server.request(
      'POST',
      '/clusters',
      { ...body, name: newName() },
      { ...json, ...accepted },
    )
    await stays.until(({ type, object }) => type === 'ADDED' && object.id !== made.id)
  })

  it('is an event when a new epoch begins', async () => {
    await using server = await startTestServer()
    using watch = await openWatch(server, '/clusters?watch=true')
    await watch.until(({ type }) => type === 'BOOKMARK')
    await queryDatabase(server, `update head set epoch = '00000000'`)
    await createCluster(server)
    const { object, resource_version: token } = await watch.until(({ type }) => type === 'ERROR')
    expect(object).toMatchObject({ code: 'HYPERFLEET-CNF-004', status: 410 })
    expect(token).toBe('')
    expect(await watch.ended).toBe('whole')
    using anew = await openWatch(server, '/clusters?watch=true')
    await anew.until(({ type }) => type === 'BOOKMARK')
    expect(anew.changes()).toHaveLength(1)
  })

  it('is an immediate 410 if the log has been compacted', async () => {
    await using server = await startTestServer()
    const from = await tokenOf(server)
    await createCluster(server)
    await createCluster(server)
    await eventually(async () => (await tokenOf(server)) !== from)
    await queryDatabase(server, 'update head set compacted = revision')
    await using other = await startTestServer({ databaseUrl: server.databaseUrl })
    const { status, body } = await other.get(`/clusters?watch=true&resourceVersion=${from}`)
    expect({ status, code: body.code }).toEqual({ status: 410, code: 'HYPERFLEET-CNF-004' })
  })

  it('allows another watch at the limit', async () => {
    await using server = await startTestServer({ env: { WATCHES: 'limit=1' } })
    const watch = await openWatch(server, '/clusters?watch=true')
    const { status, body, headers } = await server.get('/clusters?watch=true')
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'HYPERFLEET-LMT-001' })
    expect(headers.get('retry-after')).toBe('1')
    // Workers share the limit of the server.
    expect(body.detail).toBe('This process of the server has 1 open watches, which is its limit')
    watch[Symbol.dispose]()
    await eventually(async () => (await metricOf(server, 'flotilla_watchers')) === 0)
    using next = await openWatch(server, '/clusters?watch=true')
    expect(next.status).toBe(200)
  })
})
