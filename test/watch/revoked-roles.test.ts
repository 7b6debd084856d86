import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveHttp } from '../../src/http/egress/fixtures.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { must } from '../../src/lib/assert.ts'
import { TENANT_ENV } from '../auth/tenants.ts'
import {
  bearerOf,
  eventually,
  type PlaneServer,
  ROOT,
  startPlaneServer,
} from '../planes/identities.ts'
import { openWatch, type WatchedEvent } from './watch-client.ts'

const TENANT = 'X-Tenant-Org: acme\nX-Tenant-Project: web'
const OWNER = `${ROOT}\n${TENANT}`
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
const MAPS = '/api/v1/namespaces/default/configmaps'

let planes: PlaneServer
let id: string
let plane: string

beforeAll(async () => {
  planes = await startPlaneServer({
    ...TENANT_ENV,
    WATCHES: 'heartbeat=1s',
    WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1',
  })
  const cluster = { kind: 'Cluster', name: 'prod', spec: {} }
  id = (await made(`${BASE_PATH}/clusters`, cluster)).id
  plane = `/clusters/${id}/control-plane`
})
afterAll(() => planes[Symbol.asyncDispose]())

async function made(target: string, body: object) {
  const created = await planes.call(OWNER, 'POST', target, body)
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  return created.body
}

/** Binds a cluster role to a user. Returns the function that revokes it. */
async function bind(user: string, role: string, root = ''): Promise<() => Promise<void>> {
  const bindings = `${root}${RBAC}/clusterrolebindings`
  await made(bindings, {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  })
  return async () => {
    expect((await planes.call(OWNER, 'DELETE', `${bindings}/${user}`)).status).toBe(200)
  }
}

function headersOf(as: string): Readonly<Record<string, string>> {
  const [authorization = '', ...headers] = as.split('\n')
  return { authorization, ...Object.fromEntries(headers.map((line) => line.split(': '))) }
}

/** Opens a stream. Its text is complete when the server has ended it. */
async function openStream(as: string, target: string): Promise<{ readonly text: Promise<string> }> {
  const response = await fetch(planes.server.origin + target, { headers: headersOf(as) })
  expect(response.status).toBe(200)
  return { text: response.text() }
}

/** A stream, the role that allows it, and the root of the plane with the binding. */
const STREAMS = [
  ['a list', 'hyperfleet-reader', () => '', () => `${BASE_PATH}/clusters`],
  ['an overview', 'hyperfleet-reader', () => '', () => `${BASE_PATH}/overview`],
  ['a snapshot', 'hyperfleet-reader', () => '', () => `${BASE_PATH}/clusters/${id}/snapshot`],
  ['an exposed kind', 'hyperfleet-reader', () => '', () => '/apis/hyperfleet.io/v1/clusters'],
  ['a plane', 'view', () => plane, () => plane + MAPS],
] as const

test.each(STREAMS)('a watch of %s ends after its role is revoked', async (...stream) => {
  const [name, role, root, target] = stream
  const user = `${name.replaceAll(' ', '-')}@example.com`
  const as = `${bearerOf(user)}\n${TENANT}`
  const revoke = await bind(user, role, root())
  const watch = `${target()}?watch=true`
  const { text } = await openStream(as, watch)
  await revoke()
  await text
  expect((await planes.call(as, 'GET', watch)).status).toBe(403)
})

test('a watch of another server ends after its role is revoked', async () => {
  const group = 'widgets.example.com'
  const url = await serveHttp(({ url: target }, response) => {
    response.setHeader('Content-Type', 'application/json')
    if (target?.includes('watch=')) response.write('{"type":"ADDED"}\n')
    else response.end('{}')
  })
  await made(`${plane}/apis/apiregistration.k8s.io/v1/apiservices`, {
    metadata: { name: `v1.${group}`, annotations: { 'flotilla.dev/url': url } },
    spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
  })
  const user = 'delegated@example.com'
  const as = `${bearerOf(user)}\n${TENANT}`
  const revoke = await bind(user, 'cluster-admin', plane)
  const widgets = `${plane}/apis/${group}/v1/widgets`
  const read = () => planes.call(as, 'GET', widgets)
  expect((await eventually(read, 200)).status).toBe(200)
  const { text } = await openStream(as, `${widgets}?watch=true`)
  const ended = text.then(
    () => 'complete',
    () => 'broken off',
  )
  await revoke()
  expect(await ended).toBe('broken off')
  expect((await read()).status).toBe(403)
})

test('a watch of a snapshot needs no permission for parts that it lacks', async () => {
  const user = 'partial@example.com'
  const role = `${RBAC}/clusterroles/partial`
  const roleOf = (...resources: readonly string[]) => ({
    metadata: { name: 'partial' },
    rules: [{ apiGroups: ['hyperfleet.io'], resources, verbs: ['get', 'list', 'watch'] }],
  })
  // The part with all reports needs access to those of node pools, too.
  await made(`${RBAC}/clusterroles`, roleOf('clusters', 'clusters/status'))
  await bind(user, 'partial')
  const headers = headersOf(`${bearerOf(user)}\n${TENANT}`)
  using watch = await openWatch(planes.server, `/clusters/${id}/snapshot?watch=true`, headers)
  expect(watch.status).toBe(200)
  expect((await planes.call(OWNER, 'PUT', role, roleOf('clusters'))).status).toBe(200)
  const bookmarks = () => watch.events.filter(({ type }) => type === 'BOOKMARK').length
  const seen = bookmarks()
  await expect.poll(bookmarks).toBeGreaterThan(seen + 2)
  const labels = { changed: 'yes' }
  await planes.call(OWNER, 'PATCH', `${BASE_PATH}/clusters/${id}`, { labels })
  await watch.until(({ type }) => type === 'MODIFIED')
})

test('watches of other callers continue', async () => {
  using watch = await openWatch(planes.server, '/clusters?watch=true', headersOf(OWNER))
  // At least two heartbeats have checked the permission.
  const isBookmark = ({ type }: WatchedEvent): boolean => type === 'BOOKMARK'
  const bookmarks = () => watch.events.filter(isBookmark)
  await expect.poll(() => bookmarks().length, { timeout: 60_000 }).toBeGreaterThan(2)
  await made(`${BASE_PATH}/clusters`, { kind: 'Cluster', name: 'later', spec: {} })
  await watch.until(({ object }) => object.name === 'later')
})

test('a watch of a service account ends after the account is deleted', async () => {
  const account = 'watcher'
  await made(plane + ACCOUNTS, { metadata: { name: account } })
  await made(`${plane}${RBAC}/clusterrolebindings`, {
    metadata: { name: account },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: account }],
  })
  const issued = await made(`${plane}${ACCOUNTS}/${account}/token`, { spec: {} })
  const as = `Bearer ${must(issued.status.token, 'a token')}\n${TENANT}`
  const { text } = await openStream(as, `${plane}${MAPS}?watch=true`)
  const removed = await planes.call(OWNER, 'DELETE', `${plane}${ACCOUNTS}/${account}`)
  expect(removed.status).toBe(200)
  await text
  const read = () => planes.call(as, 'GET', plane + MAPS)
  expect((await eventually(read, 401)).status).toBe(401)
})
