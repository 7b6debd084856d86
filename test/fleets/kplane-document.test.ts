import { readFile } from 'node:fs/promises'
import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { schemaCompiler } from '../../src/http/validation/schema-compiler.ts'
import { isJsonObject, type JsonObject } from '../../src/lib/json/json.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { fleetApi, type FleetResponse } from './fleet-api.ts'

const FILE = new URL('../../openapi/kplane.yaml', import.meta.url)
const FLEETS = '/apis/kplane.dev/v1/fleets'
const SCENARIOS = '/apis/kplane.dev/v1/scenarios'
const MERGE = 'application/merge-patch+json'

const committed = await readFile(FILE, 'utf8')
const document: JsonObject = parse(committed)

/** The operations of kplane's document, with the names that its programs know. */
const OF_KPLANE = {
  getSnapshot: 'get /clusters/{cluster}/control-plane/snapshot',
  listFleets: `get ${FLEETS}`,
  createFleet: `post ${FLEETS}`,
  getFleet: `get ${FLEETS}/{name}`,
  patchFleet: `patch ${FLEETS}/{name}`,
  deleteFleet: `delete ${FLEETS}/{name}`,
  getFleetStatus: `get ${FLEETS}/{name}/status`,
  patchFleetStatus: `patch ${FLEETS}/{name}/status`,
}

interface Described {
  readonly responses: JsonObject
}

/** The operations of the document by their ID. */
function operationsOf(): ReadonlyMap<string, Described & { readonly place: string }> {
  const found = new Map<string, Described & { readonly place: string }>()
  for (const [path, item] of Object.entries(objectAt(document, 'paths'))) {
    if (!isJsonObject(item)) continue
    for (const [method, operation] of Object.entries(item)) {
      if (!isJsonObject(operation)) continue
      const place = `${method} ${path}`
      found.set(String(operation['operationId']), {
        place,
        responses: objectAt(operation, 'responses'),
      })
    }
  }
  return found
}

function objectAt(value: JsonObject, ...names: readonly string[]): JsonObject {
  let object = value
  for (const name of names) {
    const member = object[name]
    if (!isJsonObject(member)) throw new Error(`the document has no ${names.join('.')}`)
    object = member
  }
  return object
}

const operations = operationsOf()

describe('the document of fleets', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    await SwaggerParser.validate(FILE.pathname)
    expect(document['openapi']).toBe('3.1.0')
  })

  it.each(Object.entries(OF_KPLANE))('has the operation %s of kplane', (id, place) => {
    expect(operations.get(id)?.place).toBe(place)
  })

  it('has the schema names of kplane', () => {
    const names = Object.keys(objectAt(document, 'components', 'schemas'))
    expect(names).toEqual(
      expect.arrayContaining([
        'Snapshot',
        'SnapshotResource',
        'Fleet',
        'FleetList',
        'FleetSpec',
        'FleetStatus',
        'FleetMember',
      ]),
    )
  })
})

describe('a server', () => {
  let server: TestServer
  let api: ReturnType<typeof fleetApi>
  const exercised = new Set<string>()
  const compiler = schemaCompiler(document)

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLE: 'all' } })
    api = fleetApi(server.origin)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  /** Expects that the document describes the response to an operation. */
  async function conforms(id: string, request: Promise<FleetResponse>): Promise<FleetResponse> {
    const response = await request
    exercised.add(id)
    const responses: JsonObject = operations.get(id)?.responses ?? {}
    const described = responses[String(response.status)] ?? responses['default']
    const name = isJsonObject(described) ? described['$ref'] : undefined
    const shared =
      typeof name === 'string' ? objectAt(document, ...name.split('/').slice(1)) : described
    if (!isJsonObject(shared)) throw new Error(`${id} has no response ${response.status}`)
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    const schema = objectAt(shared, 'content', type, 'schema')
    const validate = compiler.compile(schema)
    validate(structuredClone(response.body))
    expect(validate.errors ?? [], `${id} ${response.status}`).toEqual([])
    return response
  }

  it('serves the committed document without a token', async () => {
    const yaml = await fetch(`${server.origin}/openapi/kplane.yaml`)
    expect(await yaml.text()).toBe(committed)
    const json = await fetch(`${server.origin}/openapi/kplane.json`)
    expect(JSON.parse(await json.text())).toEqual(document)
    expect(json.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('answers operations on fleets as described', async () => {
    const spec = { replicas: 2, template: { labels: { a: 'b' } } }
    await conforms('createFleet', api.create('documented', spec))
    await conforms('createFleet', api.create('documented', spec))
    await conforms('createFleet', api.create('documented', { replicas: -1 }))
    await expect
      .poll(async () => {
        const { body } = await conforms('getFleet', api.get('documented'))
        return body.status?.readyReplicas
      })
      .toBe(2)
    await conforms('getFleet', api.get('missing'))
    await conforms('listFleets', api.call('GET', FLEETS))
    await conforms('patchFleet', api.patch('documented', { metadata: { labels: { x: 'y' } } }))
    const { body } = await api.get('documented')
    await conforms('updateFleet', api.call('PUT', `${FLEETS}/documented`, body))
    await conforms('getFleetStatus', api.call('GET', `${FLEETS}/documented/status`))
    await conforms('patchFleetStatus', api.patchStatus('documented', { replicas: 2 }))
    const current = await api.get('documented')
    await conforms(
      'updateFleetStatus',
      api.call('PUT', `${FLEETS}/documented/status`, {
        ...current.body,
        metadata: { name: 'documented' },
      }),
    )
    const scale = await conforms('getFleetScale', api.call('GET', `${FLEETS}/documented/scale`))
    const { metadata: _metadata, ...sent } = scale.body
    const named = { ...sent, metadata: { name: 'documented' } }
    await conforms('updateFleetScale', api.call('PUT', `${FLEETS}/documented/scale`, named))
    await conforms(
      'patchFleetScale',
      api.call('PATCH', `${FLEETS}/documented/scale`, { spec: { replicas: 2 } }, MERGE),
    )
  })

  it('answers claims as described', async () => {
    const post = (id: string, path: string, body: object) =>
      conforms(id, api.call('POST', `${FLEETS}/documented/${path}`, body))
    const claimed = await post('claimFleetMember', 'claim', { holder: 'a', ttlSeconds: 60 })
    expect(claimed.status).toBe(200)
    const { clusterID, claimID } = claimed.body
    expect((await post('claimFleetMember', 'claim', {})).status).toBe(422)
    await post('claimFleetMember', 'claim', { holder: 'b' })
    const none = await post('claimFleetMember', 'claim', { holder: 'c' })
    expect(none).toMatchObject({ status: 409, body: { details: { retryAfterSeconds: 1 } } })
    expect(none.headers.get('retry-after')).toBe('1')
    const renewed = await post('renewFleetClaim', 'renew', { clusterID, claimID, ttlSeconds: 90 })
    expect(renewed.status).toBe(200)
    const released = await post('releaseFleetMember', 'release', { clusterID, claimID })
    expect(released).toMatchObject({ status: 200, body: { kind: 'FleetRelease' } })
    await post('renewFleetClaim', 'renew', { clusterID, claimID })
    const recycling = await post('recycleFleetMembers', 'recycle', { clusterID })
    expect(recycling).toMatchObject({ status: 200, body: { clusterIDs: [clusterID] } })
    const query = `${FLEETS}/documented/members?limit=1`
    const page = await conforms('listFleetMembers', api.call('GET', query))
    expect(page.body.items).toHaveLength(1)
    await conforms('listFleetMembers', api.call('GET', `${query}&phase=Gone`))
  })

  it('answers operations on scenarios as described', async () => {
    const scenario = {
      apiVersion: 'kplane.dev/v1',
      kind: 'Scenario',
      metadata: { name: 'one' },
      spec: { labels: { a: 'b' } },
    }
    await conforms('createScenario', api.call('POST', SCENARIOS, scenario))
    await conforms('listScenarios', api.call('GET', SCENARIOS))
    const { body } = await conforms('getScenario', api.call('GET', `${SCENARIOS}/one`))
    await conforms('updateScenario', api.call('PUT', `${SCENARIOS}/one`, body))
    const patch = { spec: { labels: { a: 'c' } } }
    await conforms('patchScenario', api.call('PATCH', `${SCENARIOS}/one`, patch, MERGE))
    await conforms('deleteScenario', api.call('DELETE', `${SCENARIOS}/one`))
  })

  it('answers snapshots as described', async () => {
    const at = '/clusters/documented-0000/control-plane/snapshot'
    const { body } = await conforms('getSnapshot', api.call('GET', `${at}?warm=true`))
    expect(body.resources).toContainEqual(expect.objectContaining({ resource: 'clusters' }))
    await conforms('getSnapshot', api.call('GET', '/clusters/missing/control-plane/snapshot'))
  })

  it('deletes fleets as described', async () => {
    const removed = await conforms(
      'deleteFleet',
      api.remove('documented', '?propagationPolicy=Background'),
    )
    expect(removed.status).toBe(200)
    await conforms('deleteFleet', api.remove('missing'))
  })

  it('has been asked for every operation of the document', () => {
    expect([...operations.keys()].filter((id) => !exercised.has(id))).toEqual([])
  })
})
