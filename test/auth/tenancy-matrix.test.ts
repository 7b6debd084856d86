import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { fullReport } from '../support/lifecycle.ts'
import {
  type Caller,
  callerWith,
  made,
  SYSTEM_HEADERS,
  TENANT_ENV,
  tenantHeaders,
} from './tenants.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'

/** In every resource of the other tenant, and in no request. */
const SECRET = 'top-secret-of-umbrella'
const NAME = 'umbrella-cluster'

interface Operation {
  readonly method: string
  readonly template: string
}

/** Begins the path of a route that is not below the base path. */
const AT_ROOT = '/api/..'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every route that needs a caller, from the document: the server refuses routes that are not in it. */
const operations = await documentedOperations()

async function documentedOperations(): Promise<readonly Operation[]> {
  const file = new URL('../../openapi/openapi.yaml', import.meta.url)
  const { paths }: { paths: Record<string, object> } = parse(await readFile(file, 'utf8'))
  const found = Object.entries(paths).flatMap(([template, item]) =>
    METHODS.filter((method) => Object.hasOwn(item, method)).map((method) => ({ method, template })),
  )
  return [
    ...found.filter(({ template }) => !template.startsWith('/openapi')),
    { method: 'get', template: `${AT_ROOT}/clusters/{cluster_id}/control-plane/snapshot` },
  ]
}

/** A tenant can create a resource with the name that another tenant uses. */
const UPSERT = '/clusters/by-name/{cluster_name}'

const withIds = operations.filter(
  ({ method, template }) => template.includes('{') && !(method === 'put' && template === UPSERT),
)
const withoutIds = operations.filter(({ template }) => !template.includes('{'))

/** The responses to a caller without resources on paths that are not lists of resources. */
const READ_BY_STRANGER: Readonly<Record<string, object>> = {
  '/kinds': { kind: 'KindList' },
  '/whoami': { tenant: { org: 'acme' } },
  '/label-keys': { items: [] },
  '/label-values': { items: [] },
  '/overview': { kinds: [{ total: 0 }, { total: 0 }], recent: [] },
}

/** Paths that show no values of resources, to no caller. */
const WITHOUT_VALUES = ['/kinds', '/whoami', '/label-keys', '/overview']

let server: TestServer
let owner: Caller
let stranger: Caller
let system: Caller
let cluster: { readonly id: string; readonly name: string }
let nodepool: { readonly id: string; readonly name: string }

beforeAll(async () => {
  server = await startTestServer({ env: TENANT_ENV })
  owner = callerWith(server, tenantHeaders('umbrella'))
  stranger = callerWith(server, tenantHeaders('acme'))
  system = callerWith(server, SYSTEM_HEADERS)
  const body = { spec: { note: SECRET }, labels: { note: SECRET } }
  cluster = await made(owner, '/clusters', { kind: 'Cluster', name: NAME, ...body })
  const pools = `/clusters/${cluster.id}/nodepools`
  nodepool = await made(owner, pools, { kind: 'NodePool', name: 'secret-pool', ...body })
  const report = { ...fullReport('dns', 1), data: { note: SECRET } }
  await made(system, `/clusters/${cluster.id}/statuses`, report)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

/** The paths of an operation with the ids of the other tenant; ids are looked for under each kind. */
function pathsOf({ template }: Operation): readonly string[] {
  const values: Record<string, readonly string[]> = {
    cluster_id: [cluster.id],
    nodepool_id: [nodepool.id],
    resource_id: [cluster.id, nodepool.id],
    cluster_name: [cluster.name],
    nodepool_name: [nodepool.name],
  }
  if (template.endsWith('/snapshot')) values['cluster_id'] = [cluster.id, cluster.name]
  return [...template.matchAll(/\{(\w+)\}/g)].reduce<readonly string[]>(
    (paths, [parameter, name = '']) => {
      const known = must(values[name], `a value of the parameter ${name}: add it to this test`)
      return paths.flatMap((path) => known.map((value) => path.replace(parameter, value)))
    },
    [template === '/label-values' ? `${template}?key=note` : template],
  )
}

/** A body that the operation takes. */
function bodyOf({ method, template }: Operation): unknown {
  if (template.endsWith('/statuses') && method !== 'get') {
    return fullReport('dns', 1)
  }
  if (template.endsWith('/force-delete')) return { reason: 'a test' }
  if (method === 'patch') return { spec: { changed: true } }
  if (template === '/snapshots') return { search: "name != 'x'" }
  const kind = template.includes('/nodepools') ? 'NodePool' : 'Cluster'
  if (method === 'put') return { kind, spec: {} }
  if (method !== 'post') return undefined
  const item = { kind, name: kind === 'Cluster' ? NAME : 'secret-pool', spec: {} }
  return template.endsWith('/bulk') ? { items: [item] } : item
}

function send(caller: Caller, operation: Operation, path: string) {
  const method = operation.method.toUpperCase()
  return caller.send(method, path, bodyOf(operation))
}

/** The answer to many snapshots. */
async function linesOf(caller: Caller, body: object): Promise<readonly { error?: TestResponse }[]> {
  const { text } = await caller.post('/snapshots', body)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The state that the owner and the systems see. */
async function stateOfOwner(): Promise<readonly unknown[]> {
  const answers = await Promise.all(
    [
      `/clusters/${cluster.id}`,
      `/clusters/${cluster.id}/statuses`,
      `/nodepools/${nodepool.id}`,
      `/nodepools/${nodepool.id}/statuses`,
      '/resources',
    ].map((path) => owner.get(path)),
  )
  return answers.map(({ status, headers, body }) => {
    expect(status).toBe(200)
    return { etag: headers.get('etag'), items: body.items ?? body }
  })
}

describe("another tenant's id is 404 on every route, and leaks nothing", () => {
  it.each(withIds)('$method $template', async (operation) => {
    const before = await stateOfOwner()
    for (const path of pathsOf(operation)) {
      // Together with reads of the owner, which fill and share caches and batches.
      const [answer] = await Promise.all([
        send(stranger, operation, path),
        owner.get(`/clusters/${cluster.id}`),
        owner.get(`/clusters/${cluster.id}/snapshot?warm=true`),
      ])
      expect(answer.status, `${operation.method} ${path}: ${answer.text}`).toBe(404)
      expect(answer.body.code).toBe('HYPERFLEET-NTF-001')
      expect(answer.headers.get('etag')).toBeNull()
      expect(answer.text).not.toContain(SECRET)
      const unknown = await send(
        stranger,
        operation,
        path.replaceAll(cluster.id, 'unknown').replaceAll(nodepool.id, 'unknown'),
      )
      expect(unknown.status).toBe(404)
      expect(Object.keys(answer.body).toSorted()).toEqual(Object.keys(unknown.body).toSorted())
    }
    expect(await stateOfOwner()).toEqual(before)
  })

  it('also if the id is a name, which no answer confirms', async () => {
    for (const path of [`/clusters/${NAME}`, `/clusters/${NAME}/nodepools`]) {
      const own = await owner.get(path)
      expect([own.status, own.body.detail]).toEqual([404, expect.stringContaining('by-name')])
      const answer = await stranger.get(path)
      expect([answer.status, answer.body.detail]).toEqual([
        404,
        `Cluster with id='${NAME}' not found`,
      ])
    }
  })

  it('except that an upsert creates its own resource with the name', async () => {
    const before = await stateOfOwner()
    const other = callerWith(server, tenantHeaders('cyberdyne'))
    const body = { kind: 'Cluster', spec: {} }
    const created = await other.send('PUT', `/clusters/by-name/${NAME}`, body)
    expect(created.status).toBe(201)
    expect(created.body.id).not.toBe(cluster.id)
    const items = [{ ...body, name: NAME }]
    const bulk = await callerWith(server, tenantHeaders('tyrell')).post('/clusters/bulk', { items })
    expect(bulk.body.created).toBe(1)
    expect(await stateOfOwner()).toEqual(before)
  })

  it.each(withIds.filter(({ method }) => method === 'get'))(
    'watch of $template',
    async (operation) => {
      for (const path of pathsOf(operation)) {
        const answer = await send(stranger, operation, `${path}?watch=true`)
        expect([400, 404], answer.text).toContain(answer.status)
        expect(answer.text).not.toContain(SECRET)
      }
    },
  )

  it.each(withIds.filter(({ method }) => method !== 'get'))(
    'dry run of $method $template',
    async (operation) => {
      for (const path of pathsOf(operation)) {
        const answer = await send(stranger, operation, `${path}?dryRun=All`)
        expect(answer.status, answer.text).toBe(404)
      }
    },
  )
})

describe('paths without an id show nothing of another tenant', () => {
  it.each(withoutIds.filter(({ method }) => method === 'get'))(
    'get $template',
    async (operation) => {
      const [path = ''] = pathsOf(operation)
      const answer = await send(stranger, operation, path)
      expect(answer.status, answer.text).toBe(200)
      const expected = READ_BY_STRANGER[operation.template] ?? { total: 0, items: [] }
      expect(answer.body).toMatchObject(expected)
      expect(answer.text).not.toContain(SECRET)
    },
  )

  it('post /snapshots', async () => {
    const ids = [cluster.id, cluster.name]
    const named = await linesOf(stranger, { ids })
    expect(named.map(({ error }) => error?.status)).toEqual([404, 404])
    expect(await linesOf(stranger, { search: "name != 'x'" })).toEqual([])
    expect(await linesOf(owner, { search: "name != 'x'" })).toHaveLength(1)
  })
})

describe('a request without a tenant is 403 on every route', () => {
  it.each(operations)('$method $template', async (operation) => {
    const anonymous = callerWith(server, {})
    const [path = ''] = pathsOf(operation)
    const answer = await send(anonymous, operation, path)
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 403,
      code: 'HYPERFLEET-AUZ-001',
    })
  })

  it('also on unknown paths, and not on public ones', async () => {
    expect((await server.get('/no/such/path')).status).toBe(403)
    expect((await server.get('/openapi')).status).toBe(200)
  })
})

describe('a system caller', () => {
  const writes = operations.filter(({ method }) => method !== 'get')

  it.each(operations.filter(({ method }) => method === 'get'))(
    'reads $template of every tenant',
    async (operation) => {
      for (const path of pathsOf(operation)) {
        const answer = await send(system, operation, path)
        // Names are unique within a tenant: a caller for all tenants names by id.
        const isName = path.includes(NAME)
        expect(answer.status, `${path}: ${answer.text}`).toBe(isName ? 404 : 200)
        const isSilent = WITHOUT_VALUES.includes(path)
        if (!isName && !isSilent && !path.includes('nodepools') && !path.includes(nodepool.id))
          expect(answer.text).toContain(SECRET)
      }
    },
  )

  it.each(writes)('sends $method $template only if it reports or reads', async (operation) => {
    const { template } = operation
    const isAllowed = template.endsWith('/statuses') || template === '/snapshots'
    for (const path of pathsOf(operation)) {
      const answer = await send(system, operation, path)
      if (isAllowed) expect(answer.status, answer.text).toBeLessThan(300)
      else expect(answer.status, answer.text).toBe(403)
    }
  })
})
