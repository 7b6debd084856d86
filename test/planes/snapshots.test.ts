import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let id: string

beforeAll(async () => {
  server = await startTestServer()
  const { body } = await server.post('/clusters', { kind: 'Cluster', name: 'one', spec: {} })
  id = body.id
})
afterAll(() => server[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.origin}/clusters/${id}/control-plane${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) }
}

const MAPS = '/api/v1/namespaces/default/configmaps'

interface Part {
  readonly group: string
  readonly resource: string
  readonly itemCount: number
  readonly items: readonly { readonly metadata: Record<string, unknown> }[]
}

async function partsOf(query = ''): Promise<readonly Part[]> {
  return (await call('GET', `/snapshot?warm=true${query}`)).body.resources
}

test('a snapshot has the objects of the plane beside the resources of the cluster', async () => {
  const before = await call('GET', '/snapshot?warm=true')
  await call('POST', MAPS, { metadata: { name: 'a' }, data: { x: 'y' } })
  const after = await call('GET', '/snapshot?warm=true')
  const [clusters, maps] = ['clusters', 'configmaps'].map((name) =>
    after.body.resources.find((part: Part) => part.resource === name),
  )
  expect(clusters).toMatchObject({ group: 'hyperfleet', itemCount: 1 })
  expect(maps).toMatchObject({ group: '', synced: true, itemCount: 1 })
  expect(maps.items[0]).toMatchObject({ kind: 'ConfigMap', data: { x: 'y' } })
  expect(maps.items[0].metadata).not.toHaveProperty('managedFields')
  expect(maps.items[0].metadata.resourceVersion).toMatch(/^\d+$/)
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
})

test('selects objects by plural or group, and ignores unknown names unless strict', async () => {
  await call('POST', MAPS, { metadata: { name: 'b' } })
  expect((await partsOf('&resource=configmaps')).map(({ resource }) => resource)).toEqual([
    'configmaps',
  ])
  expect(await partsOf('&resource=pods')).toEqual([])
  const strict = await call('GET', '/snapshot?warm=true&resource=pods&strict=true')
  expect(strict).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
  const known = await call(
    'GET',
    '/snapshot?warm=true&resource=leases.coordination.k8s.io&strict=true',
  )
  expect(known.status).toBe(200)
})

test('a watch of a snapshot sends the changes of objects', async () => {
  const stopped = new AbortController()
  const response = await fetch(
    `${server.origin}/clusters/${id}/control-plane/snapshot?watch=true&resource=configmaps`,
    { signal: stopped.signal },
  )
  const events: Record<string, unknown>[] = []
  let rest = ''
  let written = false
  for await (const chunk of response.body ?? []) {
    rest += Buffer.from(chunk).toString()
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    events.push(...lines.map((line) => JSON.parse(line)))
    if (!written) {
      written = true
      await call('POST', MAPS, { metadata: { name: 'later' } })
      await call('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'hidden' } })
      await call('DELETE', `${MAPS}/later`)
    }
    if (events.filter(({ type }) => type !== 'BOOKMARK').length >= 3) break
  }
  stopped.abort()
  const changes = events.filter(({ type }) => type !== 'BOOKMARK')
  expect(changes).toMatchObject([
    { type: 'SNAPSHOT' },
    { type: 'ADDED', resource: 'configmaps', object: { metadata: { name: 'later' } } },
    { type: 'DELETED', resource: 'configmaps', object: { metadata: { name: 'later' } } },
  ])
})

describe('the root plane', () => {
  test('has a snapshot of its objects', async () => {
    const path = `${server.origin}${MAPS}`
    const created = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'of-root' }, data: { x: 'y' } }),
    })
    expect(created.status).toBe(201)
    const snapshot = await snapshotOf('?resource=configmaps&minResourceVersion=latest')
    expect(snapshot).toMatchObject({
      status: 200,
      body: {
        cluster: 'root',
        id: 'root',
        liveResources: 1,
        resources: [{ group: '', resource: 'configmaps', synced: true }],
      },
    })
    const names = snapshot.body.resources[0].items.map((item: Item) => item.metadata.name)
    expect(names).toContain('of-root')
    const { body } = await snapshotOf('')
    expect(body.resources.some((part: Part) => part.group === 'hyperfleet')).toBe(false)
    const empty = await snapshotOf('?resource=pods&includeEmpty=true')
    expect(empty.body.resources).toMatchObject([{ resource: 'pods', itemCount: 0, items: [] }])
  })

  test('rejects unknown names with strict, and watches', async () => {
    expect((await snapshotOf('?resource=pods&strict=true')).status).toBe(400)
    const watched = await snapshotOf('?watch=true')
    expect(watched.status).toBe(400)
    expect(watched.body.detail).toContain('root plane')
  })

  test('is 304 for the tag of an unchanged plane', async () => {
    const url = `${server.origin}/clusters/root/control-plane/snapshot`
    const first = await fetch(url)
    await first.text()
    const tag = first.headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { 'If-None-Match': tag } })).status).toBe(304)
  })
})

async function snapshotOf(query: string) {
  const response = await fetch(`${server.origin}/clusters/root/control-plane/snapshot${query}`)
  return { status: response.status, body: JSON.parse(await response.text()) }
}

interface Item {
  readonly metadata: { readonly name: string }
}
