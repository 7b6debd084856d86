import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SYSTEM_HEADERS, TENANT_ENV } from '../auth/tenants.ts'
import { openapiFiles } from '../documentation/openapi-file.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { fleetApi, type FleetResponse } from './fleet-api.ts'

const openapiFileWith = openapiFiles()

let server: TestServer
let api: ReturnType<typeof fleetApi>

beforeAll(async () => {
  const schema = {
    ClusterSpec: {
      type: 'object',
      properties: { region: { type: 'string', maxLength: 5 } },
    },
  }
  const file = await openapiFileWith(schema, '3.0.3')
  server = await startTestServer({
    env: { OPENAPI_SCHEMA_PATH: file },
    config: { fleetMaxReplicas: 20_000 },
  })
  api = fleetApi(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

const FLEETS = '/apis/kplane.dev/v1/fleets'

function fieldsOf({ body }: FleetResponse): readonly string[] {
  return body.details.causes.map((cause: { field: string }) => cause.field)
}

describe('a new Fleet', () => {
  it('has defaults, the generation 1 and the finalizer of its members', async () => {
    const { status, body } = await api.create('defaults', { replicas: 0 })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      metadata: { generation: 1, finalizers: ['kplane.dev/members'] },
      spec: {
        replicas: 0,
        ttlFrom: 'Created',
        deletionPolicy: 'Orphan',
        scaleDownPolicy: 'Orphan',
        readiness: 'Plane',
        updateStrategy: { type: 'OnReplenish' },
      },
    })
    expect(body.status).toBeUndefined()
  })

  it('may have a ttl of 0 and 0 replicas', async () => {
    expect((await api.create('ttl-0', { replicas: 0, ttlSeconds: 0 })).status).toBe(201)
  })

  it.each([
    ['replicas', {}, 'spec.replicas'],
    ['replicas', { replicas: -1 }, 'spec.replicas'],
    ['replicas', { replicas: 20_001 }, 'spec.replicas'],
    ['replicas', { replicas: 1.5 }, 'spec.replicas'],
    ['ttlSeconds', { replicas: 1, ttlSeconds: -1 }, 'spec.ttlSeconds'],
    ['deletionPolicy', { replicas: 1, deletionPolicy: 'Keep' }, 'spec.deletionPolicy'],
    ['scaleDownPolicy', { replicas: 1, scaleDownPolicy: 'x' }, 'spec.scaleDownPolicy'],
    ['ttlFrom', { replicas: 1, ttlFrom: 'Never' }, 'spec.ttlFrom'],
    ['readiness', { replicas: 1, readiness: 'Pods' }, 'spec.readiness'],
    ['minReady', { replicas: 1, minReady: -1 }, 'spec.minReady'],
    ['updateStrategy', { replicas: 1, updateStrategy: { type: 'x' } }, 'spec.updateStrategy.type'],
    [
      'maxUnavailable',
      {
        replicas: 1,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '0%' } },
      },
      'spec.updateStrategy.rollingUpdate.maxUnavailable',
    ],
    [
      'rollingUpdate of another strategy',
      { replicas: 1, updateStrategy: { type: 'Recreate', rollingUpdate: { maxUnavailable: 1 } } },
      'spec.updateStrategy.rollingUpdate',
    ],
  ])('is rejected with the path of an invalid %s', async (_what, spec, field) => {
    const response = await api.create('invalid', spec)
    expect(response).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
    expect(fieldsOf(response)).toEqual([field])
  })

  it('is rejected with every violation of its rules together', async () => {
    const response = await api.create('many', {
      replicas: 4,
      names: ['ok-1', 'ok-1', 'UPPER'],
      minReady: 1,
      template: { scenarioRef: { name: 'a' }, labels: { a: 'b' } },
    })
    expect(response.status).toBe(422)
    expect(fieldsOf(response)).toEqual([
      'spec.names',
      'spec.minReady',
      'spec.names[1]',
      'spec.names[2]',
      'spec.template.labels',
    ])
  })

  it.each([
    ['duplicate', ['abc', 'abc'], 'spec.names[1]', 'Duplicate value: "abc"'],
    ['too short', ['abc', 'ab'], 'spec.names[1]', 'must have 3 to 53 characters'],
    ['too long', ['x'.repeat(54), 'abc'], 'spec.names[0]', 'must have 3 to 53 characters'],
    ['reserved', ['abc', 'root'], 'spec.names[1]', 'is reserved'],
    ['not a label', ['abc', 'a.b.c'], 'spec.names[1]', 'lowercase letter or digit'],
  ])('is rejected if a name is %s', async (_what, names, field, message) => {
    const response = await api.create('named', { replicas: 2, names })
    expect(fieldsOf(response)).toEqual([field])
    expect(response.body.message).toContain(message)
  })

  it('is rejected if the prefix is too long for the largest index', async () => {
    const namePrefix = 'p'.repeat(49)
    expect((await api.create('prefixed', { replicas: 10_000, namePrefix })).status).toBe(201)
    const response = await api.create('overlong', { replicas: 10_001, namePrefix })
    expect(fieldsOf(response)).toEqual(['spec.namePrefix'])
    expect(response.body.message).toContain(`${namePrefix}10000`)
  })

  it.each(['Upper-', '-a-', 'a_b-'])(
    'is rejected with the invalid prefix %s',
    async (namePrefix) => {
      expect(fieldsOf(await api.create('a', { replicas: 1, namePrefix }))).toEqual([
        'spec.namePrefix',
      ])
    },
  )

  it('is rejected if its name is no prefix and it has no other', async () => {
    const response = await api.create('a.b', { replicas: 1 })
    expect(fieldsOf(response)).toEqual(['spec.namePrefix'])
    expect(response.body.message).toContain('metadata.name')
    expect((await api.create('a.b', { replicas: 1, namePrefix: 'ab-' })).status).toBe(201)
  })

  it('is rejected if its name is too long for a label', async () => {
    const response = await api.create('n'.repeat(64), { replicas: 0, namePrefix: 'n-' })
    expect(fieldsOf(response)).toEqual(['metadata.name'])
  })
})

describe('a template', () => {
  const withTemplate = (template: object) => api.create('templated', { replicas: 1, template })

  it('follows the rules of clusters and node pools', async () => {
    const response = await withTemplate({
      labels: { team: '', 'kplane.dev/fleet': 'other' },
      spec: { region: 'too long' },
      nodePools: [{ name: 'ab' }, { name: 'UPPER', spec: {} }],
    })
    expect(response.status).toBe(422)
    expect(fieldsOf(response)).toEqual([
      'spec.template.labels[kplane.dev/fleet]',
      'spec.template.spec.region',
      'spec.template.nodePools[0].name',
      'spec.template.nodePools[1].name',
    ])
  })

  it('has node pools with distinct names', async () => {
    const response = await withTemplate({ nodePools: [{ name: 'pool' }, { name: 'pool' }] })
    expect(fieldsOf(response)).toEqual(['spec.template.nodePools[1]'])
  })

  it('is validated with its placeholders replaced', async () => {
    const response = await withTemplate({ spec: { region: '${index}' }, labels: { n: '${name}' } })
    expect(response.status).toBe(201)
    expect(response.body.spec.template.spec).toEqual({ region: '${index}' })
  })

  it('has manifests that planes would accept', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'board-${index}' } }
    expect((await api.create('seeded', { replicas: 1, template: { objects: [map] } })).status).toBe(
      201,
    )
    const response = await withTemplate({
      objects: [map, { ...map, data: { a: 1 } }, { apiVersion: 'v1', kind: 'Pod', metadata: {} }],
    })
    expect(response.status).toBe(422)
    expect(fieldsOf(response).every((field) => field.startsWith('spec.template.objects['))).toBe(
      true,
    )
    expect(fieldsOf(response).join()).toContain('spec.template.objects[2]')
  })

  it('may name a Scenario that does not exist', async () => {
    const template = { scenarioRef: { name: 'missing' } }
    expect((await api.create('waits', { replicas: 1, template })).status).toBe(201)
  })

  it('has the same rules in a Scenario', async () => {
    const scenario = {
      apiVersion: 'kplane.dev/v1',
      kind: 'Scenario',
      metadata: { name: 'game' },
      spec: { spec: { region: 'too long' } },
    }
    const path = '/apis/kplane.dev/v1/scenarios'
    const rejected = await api.call('POST', path, scenario)
    expect(fieldsOf(rejected)).toEqual(['spec.spec.region'])
    const stored = await api.call('POST', path, { ...scenario, spec: { labels: { a: 'b' } } })
    expect(stored).toMatchObject({ status: 201, body: { metadata: { generation: 1 } } })
  })
})

describe('a change', () => {
  it('raises the generation only if it changes the spec', async () => {
    await api.create('generations', { replicas: 1 })
    const labelled = await api.patch('generations', { metadata: { labels: { a: 'b' } } })
    expect(labelled.body.metadata.generation).toBe(1)
    const scaled = await api.patch('generations', { spec: { replicas: 2 } })
    expect(scaled.body.metadata.generation).toBe(2)
    const reported = await api.patchStatus('generations', { readyReplicas: 2 })
    expect(reported.body).toMatchObject({
      metadata: { generation: 2 },
      status: { readyReplicas: 2 },
    })
  })

  it('R24: of the status changes only the status, and of the spec never the status', async () => {
    await api.create('parts', { replicas: 1 })
    await api.call(
      'PATCH',
      `${FLEETS}/parts/status`,
      { spec: { replicas: 5 }, status: { replicas: 1 } },
      'application/merge-patch+json',
    )
    await api.patch('parts', { status: { replicas: 9 } })
    expect((await api.get('parts')).body).toMatchObject({
      spec: { replicas: 1 },
      status: { replicas: 1 },
    })
  })

  it('with a stale resourceVersion is rejected with 409', async () => {
    const { body } = await api.create('stale', { replicas: 1 })
    await api.patch('stale', { spec: { replicas: 2 } })
    const response = await api.call('PUT', `${FLEETS}/stale`, body)
    expect(response).toMatchObject({ status: 409, body: { reason: 'Conflict' } })
  })

  it('as a strategic merge patch is rejected with 415', async () => {
    await api.create('strategic', { replicas: 1 })
    const type = 'application/strategic-merge-patch+json'
    const response = await api.call('PATCH', `${FLEETS}/strategic`, { spec: {} }, type)
    expect(response).toMatchObject({ status: 415, body: { reason: 'UnsupportedMediaType' } })
  })

  it('keeps the finalizer of the members', async () => {
    await api.create('kept', { replicas: 1 })
    const { body } = await api.patch('kept', { metadata: { finalizers: [] } })
    expect(body.metadata.finalizers).toEqual(['kplane.dev/members'])
  })
})

describe('the scale', () => {
  const scaleOf = (name: string) => `${FLEETS}/${name}/scale`

  it('shows and changes the replicas', async () => {
    await api.create('scaled', { replicas: 1 })
    await api.patchStatus('scaled', { replicas: 1 })
    const { body } = await api.call('GET', scaleOf('scaled'))
    expect(body).toMatchObject({ kind: 'Scale', spec: { replicas: 1 }, status: { replicas: 1 } })
    const changed = await api.call('PUT', scaleOf('scaled'), { ...body, spec: { replicas: 7 } })
    expect(changed).toMatchObject({ status: 200, body: { spec: { replicas: 7 } } })
    expect((await api.get('scaled')).body).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 7 },
    })
  })

  it('of a Fleet with names is rejected if their number differs', async () => {
    await api.create('listed', { replicas: 1, names: ['abc'] })
    const patch = { spec: { replicas: 2 } }
    const type = 'application/merge-patch+json'
    const response = await api.call('PATCH', scaleOf('listed'), patch, type)
    expect(response.status).toBe(422)
    expect(fieldsOf(response)).toEqual(['spec.names'])
  })

  it('has the limit of the spec', async () => {
    await api.create('limited', { replicas: 1 })
    const patch = { spec: { replicas: 20_001 } }
    const type = 'application/merge-patch+json'
    const response = await api.call('PATCH', scaleOf('limited'), patch, type)
    expect(response.status).toBe(422)
    expect(response.body.message).toContain('must be at most 20000')
  })
})

describe('a deletion', () => {
  const POLICY = 'kplane.dev/deletion-policy'

  it.each([
    ['', 'Orphan', 'Orphan'],
    ['', 'Delete', 'Delete'],
    ['?propagationPolicy=Background', 'Orphan', 'Delete'],
    ['?propagationPolicy=Foreground', 'Orphan', 'Delete'],
    ['?propagationPolicy=Orphan', 'Delete', 'Orphan'],
  ])('with %j of a Fleet with %s records %s', async (query, deletionPolicy, expected) => {
    const name = `deleted-${deletionPolicy.toLowerCase()}${query.length}`
    await api.create(name, { replicas: 0, deletionPolicy })
    const { status, body } = await api.remove(name, query)
    expect(status).toBe(200)
    expect(body.metadata).toMatchObject({ generation: 2, annotations: { [POLICY]: expected } })
    expect(body.metadata.finalizers).toContain('kplane.dev/members')
  })

  it('warns how many members it deletes, and how to keep them', async () => {
    await api.create('warned', { replicas: 3 })
    await api.patchStatus('warned', { replicas: 3 })
    const { headers } = await api.remove('warned', '?propagationPolicy=Background')
    expect(headers.get('warning')).toContain('3 members of the fleet will be deleted')
    expect(headers.get('warning')).toContain('--cascade=orphan')
  })

  it('does not warn if the members stay or the spec deletes them', async () => {
    await api.create('quiet', { replicas: 3 })
    await api.patchStatus('quiet', { replicas: 3 })
    expect((await api.remove('quiet', '?dryRun=All')).headers.get('warning')).toBeNull()
    await api.patch('quiet', { spec: { deletionPolicy: 'Delete' } })
    const { headers } = await api.remove('quiet', '?propagationPolicy=Background')
    expect(headers.get('warning')).toBeNull()
  })
})

describe('discovery', () => {
  it('names the group in the root plane only', async () => {
    const { body } = await api.call('GET', '/apis/kplane.dev/v1')
    const names = body.resources.map((resource: { name: string }) => resource.name)
    expect(names).toEqual(expect.arrayContaining(['fleets', 'fleets/status', 'fleets/scale']))
    expect(body.resources).toContainEqual(
      expect.objectContaining({ name: 'fleets', shortNames: ['flt'], categories: ['kplane'] }),
    )
    await server.post('/clusters', { kind: 'Cluster', name: 'other', spec: {} })
    const path = '/clusters/other/control-plane/apis/kplane.dev/v1'
    expect((await api.call('GET', path)).status).toBe(404)
  })

  it('serves no fleets if the server has tenancy', async () => {
    await using tenants = await startTestServer({ env: TENANT_ENV })
    const response = await fetch(tenants.origin + FLEETS, { headers: SYSTEM_HEADERS })
    expect(response.status).toBe(404)
  })
})

it('keeps a Fleet as it was read', async () => {
  const { body } = await api.create('same', { replicas: 1, template: { spec: {} } })
  const { body: again } = await api.call('PUT', `${FLEETS}/same`, body)
  expect(again.metadata.resourceVersion).toBe(body.metadata.resourceVersion)
})
