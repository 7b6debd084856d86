import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UserInfo } from '../../../src/planes/model/user-info.ts'
import { allGenericResources } from '../../../src/planes/server/generic-resources.ts'
import type { PlaneServerOptions } from '../../../src/planes/server/plane-server-options.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from '../../../src/planes/definitions/custom-resource-definitions.ts'
import type { NativeResource } from '../../../src/planes/model/native-resource.ts'
import { LEASES } from '../../../src/planes/native/coordination/leases.ts'
import { CONFIG_MAPS } from '../../../src/planes/native/core/config-maps/config-maps.ts'
import { NAMESPACES } from '../../../src/planes/native/core/namespaces/namespaces.ts'
import { SECRETS } from '../../../src/planes/native/core/secrets/secrets.ts'
import { type PlaneServer, startPlaneServer } from '../../../src/planes/server/plane-server.ts'
import { sendLines } from '../../browsers/raw-request.ts'
import { proofCases } from '../../support/proof-size.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { conformance } from '../conformance/conformance.ts'
import { type PlaneClient, planeClient } from '../conformance/plane-client.ts'
import * as subjects from '../conformance/subjects.ts'

interface Running {
  readonly server: PlaneServer
  readonly database: TestDatabase
  readonly client: PlaneClient
}

const start = (...resources: readonly NativeResource[]) => startWith({ resources })

async function startWith(
  options: Pick<PlaneServerOptions, 'resources' | 'services' | 'hostNames' | 'publicUrl'>,
): Promise<Running> {
  const database = await createTestDatabase()
  const server = await startPlaneServer({ databaseUrl: database.url, port: 0, ...options })
  return { server, database, client: planeClient(server.origin, '') }
}

async function stop({ server, database }: Running): Promise<void> {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
}

/** `group/version` and plural of all resources in discovery. */
async function discovered(client: PlaneClient): Promise<readonly string[]> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const documents = [
    await client.call('GET', '/api', { accept }),
    await client.call('GET', '/apis', { accept }),
  ]
  return documents.flatMap(({ text }) => {
    const { items } = JSON.parse(text)
    return items.flatMap((group: { metadata?: { name?: string }; versions: Version[] }) =>
      group.versions.flatMap(({ version, resources }) =>
        resources.map(({ resource }) => `${group.metadata?.name ?? ''}/${version} ${resource}`),
      ),
    )
  })
}

interface Version {
  readonly version: string
  readonly resources: readonly { readonly resource: string }[]
}

describe('two servers in one process', () => {
  let maps: Running
  let leases: Running
  beforeAll(async () => {
    maps = await start(NAMESPACES, CONFIG_MAPS)
    leases = await start(NAMESPACES, LEASES, CUSTOM_RESOURCE_DEFINITIONS)
  })
  afterAll(async () => {
    await stop(maps)
    await stop(leases)
  })

  test('serve exactly their resources', async () => {
    expect(await discovered(maps.client)).toEqual(['/v1 configmaps', '/v1 namespaces'])
    expect(await discovered(leases.client)).toEqual([
      '/v1 namespaces',
      'apiextensions.k8s.io/v1 customresourcedefinitions',
      'coordination.k8s.io/v1 leases',
    ])
  })

  test('have no trace of other resources in paths and OpenAPI documents', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    expect((await maps.client.call('GET', path)).status).toBe(404)
    expect((await leases.client.call('GET', path)).status).toBe(200)
    for (const document of ['/openapi/v2', '/openapi/v3']) {
      const { text } = await maps.client.call('GET', document)
      expect(text).not.toMatch(/lease|secret|customresource/i)
    }
    expect((await leases.client.call('GET', '/openapi/v2')).text).toContain('Lease')
  })

  test('keep their objects apart', async () => {
    const body = { metadata: { name: 'apart' } }
    expect((await maps.client.call('POST', '/api/v1/namespaces', { body })).status).toBe(201)
    expect((await leases.client.call('GET', '/api/v1/namespaces/apart')).status).toBe(404)
  })

  test('respond with a Status to unknown paths', async () => {
    const { status, body } = await maps.client.call('GET', '/nothing')
    expect([status, body.kind, body.reason]).toEqual([404, 'Status', 'NotFound'])
  })
})

describe('a server of all generic resources', () => {
  let running: Running
  beforeAll(async () => {
    running = await startWith(
      allGenericResources({
        authenticate: (request) =>
          Promise.resolve({ userIn: () => Promise.resolve(userOf(request)) }),
      }),
    )
  })
  afterAll(() => stop(running))

  const as = (name: string, method: string, path: string, body?: object) =>
    running.client.call(method, path, {
      headers: { 'X-User': name },
      ...(body !== undefined && { body }),
    })
  const RBAC = '/apis/rbac.authorization.k8s.io/v1'

  test('R32: evaluates the roles of its planes', async () => {
    const maps = '/api/v1/namespaces/default/configmaps'
    expect((await as('ada', 'GET', maps)).status).toBe(403)
    const binding = {
      metadata: { name: 'ada' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: 'ada' }],
    }
    const bindings = `${RBAC}/namespaces/default/rolebindings`
    expect((await as('ada', 'POST', bindings, binding)).status).toBe(403)
    expect((await as('root', 'POST', bindings, binding)).status).toBe(201)
    expect((await as('ada', 'GET', maps)).status).toBe(200)
    const review = await as(
      'ada',
      'POST',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        spec: { resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: 'default' } },
      },
    )
    expect(review.body.status.allowed).toBe(true)
    const { body: view } = await as('root', 'GET', `${RBAC}/clusterroles/view`)
    expect(view.rules).not.toEqual([])
  })

  test('enforces quotas', async () => {
    const quota = { metadata: { name: 'few' }, spec: { hard: { 'count/secrets': '1' } } }
    const quotas = '/api/v1/namespaces/default/resourcequotas'
    expect((await as('root', 'POST', quotas, quota)).status).toBe(201)
    const create = (name: string) =>
      as('root', 'POST', '/api/v1/namespaces/default/secrets', { metadata: { name } })
    expect([(await create('one')).status, (await create('two')).status]).toEqual([201, 403])
    const { body } = await as('root', 'GET', `${quotas}/few`)
    expect(body.status.used).toEqual({ 'count/secrets': '1' })
  })

  test('serves definitions of custom resources', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const definition = {
      metadata: { name: 'ships.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'ships', kind: 'Ship' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    }
    expect((await as('root', 'POST', definitions, definition)).status).toBe(201)
  })
})

function userOf({ headers }: IncomingMessage): UserInfo {
  const name = String(headers['x-user'] ?? 'system:anonymous')
  const groups = name === 'root' ? ['system:masters'] : []
  return { name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} }
}

describe('a server that accepts every caller', () => {
  const statusOf = async ({ server }: Running, lines: readonly string[]) =>
    (await sendLines(server.port, { target: '/api/v1/namespaces', lines })).status

  test('serves only its own names and pages', async () => {
    const running = await startWith({
      resources: [NAMESPACES],
      hostNames: ['planes.example.com'],
      publicUrl: 'https://planes.example.com',
    })
    try {
      const [evil, upgrade] = ['Origin: http://evil.example', 'Upgrade: websocket']
      expect(await statusOf(running, ['Host: evil.example'])).toBe(421)
      expect(await statusOf(running, ['Host: planes.example.com'])).toBe(200)
      expect(await statusOf(running, ['Host: localhost', upgrade, evil])).toBe(403)
      const own = 'Origin: https://planes.example.com'
      expect(await statusOf(running, ['Host: localhost', upgrade, own])).toBe(200)
    } finally {
      await stop(running)
    }
  })

  test('does not start with an invalid name or URL', async () => {
    const resources = [NAMESPACES]
    await expect(startWith({ resources, hostNames: ['a:80'] })).rejects.toThrow("found 'a:80'")
    await expect(startWith({ resources, publicUrl: 'a/b' })).rejects.toThrow("found 'a/b'")
  })
})

describe('a server of the library', () => {
  let running: Running
  beforeAll(async () => {
    running = await start(NAMESPACES, CONFIG_MAPS, SECRETS, LEASES)
  })
  afterAll(() => stop(running))

  // The plane of a cluster has config maps.
  const { CONFIG_MAPS: maps, LEASES: leases } = subjects
  for (const subject of proofCases([maps, leases], (one) => one === leases)) {
    conformance(subject, () => running.client)
  }
})
