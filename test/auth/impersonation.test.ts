import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bearerOf,
  type PlaneResponse,
  type PlaneServer,
  ROOT,
  startPlaneServer,
} from '../planes/identities.ts'
import { startShards } from '../shards/shard-servers.ts'
import { startTestServer } from '../support/test-server.ts'
import { TENANT_ENV, tenantHeaders } from './tenants.ts'

const BASE = '/api/hyperfleet/v1'
const RBAC = 'rbac.authorization.k8s.io'
const SUPPORT = bearerOf('support@example.com')
const STRANGER = bearerOf('stranger@example.com')

/** Adds impersonation headers to an Authorization header. */
const as = (bearer: string, ...lines: readonly string[]) => [bearer, ...lines].join('\n')

let planes: PlaneServer
let cluster: string

beforeAll(async () => {
  planes = await startPlaneServer({ WATCHES: 'heartbeat=1s' })
  await role('impersonator', [
    {
      apiGroups: [''],
      resources: ['users'],
      verbs: ['impersonate'],
      resourceNames: ['ada', 'eve'],
    },
    { apiGroups: [''], resources: ['groups'], verbs: ['impersonate'], resourceNames: ['writers'] },
    { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
    {
      apiGroups: ['authentication.k8s.io'],
      resources: ['userextras/scopes'],
      verbs: ['impersonate'],
      resourceNames: ['read'],
    },
    { apiGroups: ['authentication.k8s.io'], resources: ['uids'], verbs: ['impersonate'] },
  ])
  await bind('impersonator', { kind: 'User', name: 'support@example.com' })
  await bind('hyperfleet-reader', { kind: 'User', name: 'ada' })
  await bind('hyperfleet-writer', { kind: 'Group', name: 'writers' })
  await bind('hyperfleet-reader', {
    kind: 'ServiceAccount',
    name: 'builder',
    namespace: 'default',
  })
  cluster = (await create(ROOT, 'one')).body.id
})
afterAll(() => planes[Symbol.asyncDispose]())

async function role(name: string, rules: readonly object[]): Promise<void> {
  const target = `/apis/${RBAC}/v1/clusterroles`
  const created = await planes.call(ROOT, 'POST', target, { metadata: { name }, rules })
  expect(created.status).toBe(201)
}

interface Subject {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

async function bind(name: string, subject: Subject, plane = ''): Promise<void> {
  const target = `${plane}/apis/${RBAC}/v1/clusterrolebindings`
  const created = await planes.call(ROOT, 'POST', target, {
    metadata: { name: `${name}-${subject.name}` },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
    subjects: [subject],
  })
  expect(created.status).toBe(201)
}

const call = (bearer: string, method: string, path: string, body?: unknown) =>
  planes.call(bearer, method, BASE + path, body)

const create = (bearer: string, name: string): Promise<PlaneResponse> =>
  call(bearer, 'POST', '/clusters', { kind: 'Cluster', name, spec: {} })

describe('a caller that may impersonate', () => {
  it('has the rights of the other user, and not its own', async () => {
    expect((await call(SUPPORT, 'GET', '/clusters')).status).toBe(403)
    const ada = as(SUPPORT, 'Impersonate-User: ada')
    expect((await call(ada, 'GET', '/clusters')).status).toBe(200)
    expect((await create(ada, 'two')).status).toBe(403)
    expect((await call(ada, 'GET', '/whoami')).body).toMatchObject({
      user: 'ada',
      groups: ['system:authenticated'],
    })
    expect((await call(as(ROOT, 'Impersonate-User: eve'), 'GET', '/clusters')).status).toBe(403)
  })

  it('has the groups of the headers, and writes in the name of the other user', async () => {
    const eve = as(SUPPORT, 'Impersonate-User: eve', 'Impersonate-Group: writers')
    expect(await create(eve, 'by-eve')).toMatchObject({ status: 201, body: { created_by: 'eve' } })
    const search = `?search=${encodeURIComponent("name = 'by-eve' and verb = 'create'")}`
    const events = async () => (await call(ROOT, 'GET', `/audit${search}`)).body.items
    await expect
      .poll(events)
      .toMatchObject([
        { user: 'support@example.com', impersonated_user: 'eve', resource: 'clusters' },
      ])
  })

  it('is recorded in planes too, even if the other user has its own name', async () => {
    const self = as(ROOT, 'Impersonate-User: root@example.com', 'Impersonate-Group: system:masters')
    const target = '/api/v1/namespaces/default/configmaps'
    const object = { metadata: { name: 'by-self' } }
    expect((await planes.call(self, 'POST', target, object)).status).toBe(201)
    const search = `?search=${encodeURIComponent("name = 'by-self' and verb = 'create'")}`
    const events = async () => (await call(ROOT, 'GET', `/audit${search}`)).body.items
    await expect
      .poll(events)
      .toMatchObject([{ user: 'root@example.com', impersonated_user: 'root@example.com' }])
  })

  it('acts as a service account of the root plane', async () => {
    const builder = as(SUPPORT, 'Impersonate-User: system:serviceaccount:default:builder')
    expect((await call(builder, 'GET', '/clusters')).status).toBe(200)
    const other = as(SUPPORT, 'Impersonate-User: system:serviceaccount:default:other')
    expect((await call(other, 'GET', '/clusters')).status).toBe(403)
  })

  it('may send a uid and extras', async () => {
    const ada = as(
      SUPPORT,
      'Impersonate-User: ada',
      'Impersonate-Uid: 17',
      'Impersonate-Extra-Scopes: read',
    )
    expect((await call(ada, 'GET', '/clusters')).status).toBe(200)
  })

  it('watches until it may no longer impersonate', async () => {
    const helper = bearerOf('helper@example.com')
    await bind('impersonator', { kind: 'User', name: 'helper@example.com' })
    const headers = { authorization: helper, 'impersonate-user': 'ada' }
    const watch = await fetch(`${planes.server.origin}${BASE}/clusters?watch=true`, { headers })
    expect(watch.status).toBe(200)
    const binding = `/apis/${RBAC}/v1/clusterrolebindings/impersonator-helper@example.com`
    expect((await planes.call(ROOT, 'DELETE', binding)).status).toBe(200)
    await watch.text()
  })

  it('sees the objects of planes in snapshots with the rights of the other user', async () => {
    const plane = `/clusters/${cluster}/control-plane`
    const object = { metadata: { name: 'seen' } }
    const target = `${plane}/api/v1/namespaces/default/configmaps`
    expect((await planes.call(ROOT, 'POST', target, object)).status).toBe(201)
    const parts = async (bearer: string) => {
      const target = `${plane}/snapshot?resource=configmaps&warm=true`
      const { body } = await planes.call(bearer, 'GET', target)
      return body.resources.map(({ resource }: { resource: string }) => resource)
    }
    expect(await parts(ROOT)).toContain('configmaps')
    expect(await parts(as(ROOT, 'Impersonate-User: ada'))).not.toContain('configmaps')
    // The service account of the root plane is not that of the plane with the same name.
    const builder = { kind: 'ServiceAccount', name: 'builder', namespace: 'default' }
    await bind('view', builder, plane)
    const named = as(ROOT, 'Impersonate-User: system:serviceaccount:default:builder')
    expect(await parts(named)).not.toContain('configmaps')
    await bind('view', { kind: 'User', name: 'ada' }, plane)
    expect(await parts(as(ROOT, 'Impersonate-User: ada'))).toContain('configmaps')
  })
})

describe('a request is denied with 403', () => {
  it.each([
    ['Impersonate-User: root@example.com'],
    ['Impersonate-User: system:admin'],
    ['Impersonate-User: ada', 'Impersonate-Group: system:masters'],
    ['Impersonate-User: ada', 'Impersonate-Group: others'],
    ['Impersonate-User: ada', 'Impersonate-Extra-Scopes: write'],
    ['Impersonate-User: ada', 'Impersonate-Extra-Other: read'],
  ])('for %s %s without the permission', async (...lines) => {
    for (const path of ['/clusters', '/whoami', '/no-such-path']) {
      expect(await call(as(SUPPORT, ...lines), 'GET', path), path).toMatchObject({
        status: 403,
        body: { code: 'HYPERFLEET-AUZ-001', detail: expect.stringContaining('impersonate') },
      })
    }
  })

  it('for a caller without any permission, which the audit log names', async () => {
    const body = { kind: 'Cluster', name: 'denied', spec: {} }
    const denied = await call(as(STRANGER, 'Impersonate-User: ada'), 'POST', '/clusters', body)
    expect(denied.status).toBe(403)
    const search = `?search=${encodeURIComponent(`request_id = '${denied.body.trace_id}'`)}`
    const events = async () => (await call(ROOT, 'GET', `/audit${search}`)).body.items
    await expect.poll(events).toMatchObject([{ user: 'stranger@example.com', outcome: 'denied' }])
  })
})

describe('a request with headers that name no user', () => {
  it.each([
    ['Impersonate-Group: writers'],
    ['Impersonate-Uid: 1'],
    ['Impersonate-Extra-a: b'],
    ['Impersonate-User: '],
    ['Impersonate-Nobody: x'],
  ])('is 400: %s', async (line) => {
    expect(await call(as(ROOT, line), 'GET', '/clusters')).toMatchObject({
      status: 400,
      body: { code: 'HYPERFLEET-VAL-006' },
    })
    expect((await planes.call(as(ROOT, line), 'GET', '/api/v1/namespaces')).status).toBe(400)
  })
})

describe('without authorization', () => {
  it('every caller may act as every user, as in planes', async () => {
    await using server = await startTestServer()
    const body = { kind: 'Cluster', name: 'named', spec: {} }
    const headers = { 'Content-Type': 'application/json', 'Impersonate-User': 'ada' }
    const created = await server.request('POST', '/clusters', body, headers)
    expect(created).toMatchObject({ status: 201, body: { created_by: 'ada' } })
    const events = async () => (await server.get("/audit?search=name%20=%20'named'")).body.items
    await expect
      .poll(events)
      .toMatchObject([{ user: 'system@hyperfleet.local', impersonated_user: 'ada' }])
  })
})

describe('with rate limits', () => {
  it('the requests of a caller count together, for all users that it acts as', async () => {
    await using server = await startTestServer({
      env: {
        TRUSTED_PROXIES: '127.0.0.1,::1',
        RATE_LIMITS: 'reads=1,burst-seconds=1',
      },
    })
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const headers = {
          'X-HyperFleet-Identity': 'support',
          'Impersonate-User': `user-${index}`,
        }
        return (await server.request('GET', '/whoami', undefined, headers)).status
      }),
    )
    expect(statuses).toContain(429)
  })
})

describe('with tenancy', () => {
  it('a request stays in the tenant of its caller', async () => {
    await using server = await startTestServer({ env: TENANT_ENV })
    const headers = { 'Content-Type': 'application/json', 'Impersonate-User': 'ada@umbrella' }
    const acme = { ...headers, ...tenantHeaders('acme') }
    const body = { kind: 'Cluster', name: 'mine', spec: {} }
    expect((await server.request('POST', '/clusters', body, acme)).body).toMatchObject({
      created_by: 'ada@umbrella',
      tenancy: { org: 'acme' },
    })
    const umbrella = { ...headers, ...tenantHeaders('umbrella') }
    expect((await server.request('GET', '/clusters', undefined, umbrella)).body.total).toBe(0)
    expect((await server.request('GET', '/clusters', undefined, headers)).status).toBe(403)
  })
})

describe('with shards', () => {
  it('a forwarded request acts as the other user', async () => {
    await using installation = await startShards(['east', 'west'])
    const body = { kind: 'Cluster', name: 'far', spec: {} }
    for (const { server } of installation.shards) {
      for (const org of ['acme', 'umbrella']) {
        const headers = {
          'Content-Type': 'application/json',
          ...tenantHeaders(org),
          'Impersonate-User': 'eve',
        }
        const named = { ...body, name: `far-${org}-${new URL(server.origin).port}` }
        const created = await server.request('POST', '/clusters', named, headers)
        expect(created).toMatchObject({ status: 201, body: { created_by: 'eve' } })
        const malformed = { ...tenantHeaders(org), 'Impersonate-Group': 'a' }
        expect((await server.request('GET', '/clusters', undefined, malformed)).status).toBe(400)
      }
    }
  })
})
