import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CUSTOM_RESOURCE_DEFINITIONS } from '../../../src/apis/kube/definitions/custom-resource-definitions.ts'
import type { NativeResource } from '../../../src/apis/kube/model/native-resource.ts'
import { LEASES } from '../../../src/apis/kube/native/coordination/leases.ts'
import { CONFIG_MAPS } from '../../../src/apis/kube/native/core/config-maps/config-maps.ts'
import { NAMESPACES } from '../../../src/apis/kube/native/core/namespaces/namespaces.ts'
import { SECRETS } from '../../../src/apis/kube/native/core/secrets/secrets.ts'
import { type PlaneServer, startPlaneServer } from '../../../src/apis/kube/server/plane-server.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { conformance } from '../conformance/conformance.ts'
import { type PlaneClient, planeClient } from '../conformance/plane-client.ts'
import * as subjects from '../conformance/subjects.ts'

interface Running {
  readonly server: PlaneServer
  readonly database: TestDatabase
  readonly client: PlaneClient
}

async function start(...resources: readonly NativeResource[]): Promise<Running> {
  const database = await createTestDatabase()
  const server = await startPlaneServer({ databaseUrl: database.url, port: 0, resources })
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

describe('a server of the library', () => {
  let running: Running
  beforeAll(async () => {
    running = await start(NAMESPACES, CONFIG_MAPS, SECRETS, LEASES)
  })
  afterAll(() => stop(running))

  conformance(subjects.CONFIG_MAPS, () => running.client)
  conformance(subjects.LEASES, () => running.client)
})
