import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../../clients/typescript/src/index.ts'
import { defineKind } from '../../src/store/registry/kind.ts'
import { kinds as builtIn } from '../../src/hyperfleet/kinds/index.ts'
import { VERBS } from '../../src/store/registry/verb.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const region = defineKind({
  kind: 'Region',
  plural: 'regions',
  singular: 'region',
  parent: null,
  name: { minLength: 2, maxLength: 20 },
  spec: { type: 'object' },
  requiredAdapters: ['validator'],
  references: [],
  hasStatuses: false,
  verbs: ['list', 'get'],
  messages: { available: '', ready: '' },
})

let server: TestServer
let client: Client
beforeAll(async () => {
  server = await startTestServer({
    kinds: [...builtIn, region],
    env: {
      HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]',
      INDEXED_FIELDS: 'Cluster:spec.region,NodePool:spec.replicas',
    },
  })
  client = new Client(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

test('describes built-in kinds with the configured adapters', async () => {
  const [cluster, nodePool] = await client.kinds()
  expect(cluster).toEqual({
    kind: 'Cluster',
    plural: 'clusters',
    singular: 'cluster',
    parent_kind: null,
    has_statuses: true,
    with_all_kinds: true,
    verbs: [...VERBS],
    required_adapters: ['dns'],
    indexed_fields: ['spec.region'],
    name_min_length: 3,
    name_max_length: 53,
    spec_schema: 'ClusterSpec',
  })
  expect(nodePool).toMatchObject({
    kind: 'NodePool',
    parent_kind: 'Cluster',
    required_adapters: ['validator', 'hypershift'],
    indexed_fields: ['spec.replicas'],
    name_max_length: 15,
  })
})

test('a kind without statuses has no required adapters', async () => {
  const found = (await client.kinds()).find(({ kind }) => kind === 'Region')
  expect(found).toMatchObject({
    has_statuses: false,
    required_adapters: [],
    verbs: ['list', 'get'],
  })
})

test('names a schema of the document for each spec', async () => {
  const { body } = await server.get('/openapi')
  for (const { spec_schema: name } of await client.kinds()) {
    expect(body.components.schemas).toHaveProperty(name)
  }
})

test('includes a kind that is registered while the server runs', async () => {
  server.registry.register({
    ...region,
    kind: 'Zone',
    plural: 'zones',
    singular: 'zone',
    spec: { type: 'object' },
  })
  expect((await client.kinds()).map(({ plural }) => plural)).toContain('zones')
})

test('rejects unknown parameters', async () => {
  expect((await server.get('/kinds?kind=Cluster')).status).toBe(400)
})
