import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { loadKindsFile } from '../../src/hyperfleet/configured-kinds/load-kinds-file.ts'
import { kinds as builtIn } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import { conditionsOf, newName, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const CONFIGURATION = `
entities:
  - kind: Region
    plural: regions
    required_adapters: [validator]
    name: { max_length: 20 }
    spec_schema:
      type: object
      required: [zone]
      properties: { zone: { type: string, minLength: 1 } }
  - kind: Channel
    plural: channels
    parent_kind: Region
    on_parent_delete: cascade
    required_adapters: [validator, publisher]
    spec_schema: schemas/channel.yaml
    messages: { available: Channel can be subscribed to }
  - kind: Release
    plural: releases
    singular: channel_release
    parent_kind: Channel
    required_adapters: [builder]
  - kind: Disk
    plural: disks
    parent_kind: NodePool
    required_adapters: [builder]
  - kind: Cluster
    required_adapters: [validator, network]
    name: { max_length: 20 }
    messages: { ready: Cluster matches its spec }
`

const CHANNEL_SCHEMA = `
type: object
required: [zone]
properties:
  zone: { $ref: '#/$defs/zone' }
$defs:
  zone: { type: string, minLength: 1 }
`

/** A configured kind and its expected properties. */
interface Case {
  readonly kind: string
  readonly plural: string
  readonly parent: string | null
  readonly adapters: readonly string[]
  readonly longestName: number
  readonly available: string
  readonly ready: string
  /** Whether its spec requires the string `zone`. */
  readonly hasSchema: boolean
}

const READY = 'All adapters report ready at current generation'

const CASES: readonly Case[] = [
  {
    kind: 'Region',
    plural: 'regions',
    parent: null,
    adapters: ['validator'],
    longestName: 20,
    available: 'Region is accessible',
    ready: READY,
    hasSchema: true,
  },
  {
    kind: 'Channel',
    plural: 'channels',
    parent: 'Region',
    adapters: ['validator', 'publisher'],
    longestName: 53,
    available: 'Channel can be subscribed to',
    ready: READY,
    hasSchema: true,
  },
  {
    kind: 'Release',
    plural: 'releases',
    parent: 'Channel',
    adapters: ['builder'],
    longestName: 53,
    available: 'Release is accessible',
    ready: READY,
    hasSchema: false,
  },
  {
    kind: 'Disk',
    plural: 'disks',
    parent: 'NodePool',
    adapters: ['builder'],
    longestName: 53,
    available: 'Disk is accessible',
    ready: READY,
    hasSchema: false,
  },
  {
    kind: 'Cluster',
    plural: 'clusters',
    parent: null,
    adapters: ['validator', 'network'],
    longestName: 20,
    available: 'Cluster is accessible',
    ready: 'Cluster matches its spec',
    hasSchema: false,
  },
]

function caseOf(kind: string): Case {
  return must(
    CASES.find((entry) => entry.kind === kind),
    kind,
  )
}

/** A built-in kind that the configuration does not mention. */
const NODE_POOL = { kind: 'NodePool', plural: 'nodepools', parent: 'Cluster' }

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-configured-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  return file
}

interface Created {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any JSON
  readonly body: any
  /** The collection it was created in. */
  readonly collection: string
  /** The id of its parent, or null. */
  readonly owner: string | null
}

describe('kinds of a configuration file', () => {
  let server: TestServer
  beforeAll(async () => {
    await mkdir(path.join(folder, 'schemas'))
    await write('schemas/channel.yaml', CHANNEL_SCHEMA)
    const kinds = await loadKindsFile(await write('fleet.yaml', CONFIGURATION), builtIn)
    server = await startTestServer({ kinds })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  function creation({ kind }: Pick<Case, 'kind'>, fields: object = {}) {
    return { kind, name: newName(), spec: { zone: 'north' }, ...fields }
  }

  /** The collection of a kind, below a new parent if the kind has one. */
  async function placeOf({ plural, parent }: Case | typeof NODE_POOL) {
    if (parent === null) return { collection: `/${plural}`, owner: null }
    const above = must(
      [...CASES, NODE_POOL].find(({ kind }) => kind === parent),
      parent,
    )
    const { body } = await createOf(above)
    return { collection: `/${above.plural}/${body.id}/${plural}`, owner: String(body.id) }
  }

  async function createOf(entry: Case | typeof NODE_POOL, fields: object = {}): Promise<Created> {
    const place = await placeOf(entry)
    const response = await server.post(place.collection, creation(entry, fields))
    if (response.status !== 201) throw new Error(`not created: ${response.text}`)
    return { ...place, body: response.body }
  }

  describe.each(CASES)('$kind', (entry) => {
    const { kind, plural, parent, adapters } = entry

    test('is created and can be read through every path', async () => {
      const { body, collection, owner } = await createOf(entry, { labels: { a: 'b' } })
      expect(body).toMatchObject({ kind, generation: 1, labels: { a: 'b' } })
      expect(body.href).toBe(`${BASE_PATH}/${plural}/${body.id}`)
      for (const item of [body.href, `${collection}/${body.id}`]) {
        expect((await server.get(item)).body).toEqual(body)
      }
      if (parent === null) return
      expect(body.owner_references).toMatchObject({ kind: parent, id: owner })
      expect((await server.get(body.owner_references.href)).body).toMatchObject({ kind: parent })
      expect((await server.post(`/${plural}`, creation(entry))).status).toBe(422)
    })

    test('has names with the configured lengths, unique in their collection', async () => {
      const { body, collection } = await createOf(entry)
      const taken = await server.post(collection, creation(entry, { name: body.name }))
      expect(taken).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-001' } })
      expect((await createOf(entry, parent === null ? {} : { name: body.name })).body.id).not.toBe(
        body.id,
      )
      const name = 'a'.repeat(entry.longestName)
      const long = await server.post(collection, creation(entry, { name: `${name}a` }))
      expect(long.body.detail).toContain(`at most ${entry.longestName} characters`)
      expect((await server.post(collection, creation(entry, { name }))).status).toBe(201)
    })

    test('validates specs against its schema', async () => {
      const { body, collection } = await createOf(entry)
      const responses = [
        await server.post(collection, creation(entry, { spec: { zone: '' } })),
        await server.patch(`/${plural}/${body.id}`, { spec: { zone: '' } }),
      ]
      expect(responses.map(({ status }) => status)).toEqual(
        entry.hasSchema ? [400, 400] : [201, 200],
      )
      for (const response of responses.filter(({ status }) => status === 400)) {
        expect(response.body.errors[0].field).toBe('spec.zone')
      }
    })

    test('can be patched', async () => {
      const { body, collection } = await createOf(entry)
      const changed = await server.patch(`${collection}/${body.id}`, { spec: { zone: 'south' } })
      expect(changed).toMatchObject({ status: 200, body: { generation: 2 } })
      expect((await server.get(body.href)).body).toEqual(changed.body)
    })

    test('is Ready and Available after reports of its required adapters', async () => {
      const { body, collection } = await createOf(entry)
      const statuses = `${collection}/${body.id}/statuses`
      const current = async () => conditionsOf((await server.get(`/${plural}/${body.id}`)).body)
      expect((await current()).get('Ready')).toMatchObject({ reason: 'AwaitingAdapters' })
      for (const adapter of adapters) {
        expect((await current()).get('Ready')).toMatchObject({ status: 'False' })
        expect((await server.post(statuses, report(adapter))).status).toBe(201)
      }
      const conditions = await current()
      expect(conditions.get('Ready')).toMatchObject({ status: 'True', message: entry.ready })
      expect(conditions.get('Available')).toMatchObject({
        status: 'True',
        message: entry.available,
      })
      const list = await server.get(`/${plural}/${body.id}/statuses`)
      expect(list.body).toMatchObject({ kind: 'AdapterStatusList', total: adapters.length })
    })

    test('can be listed, searched and ordered', async () => {
      const label = newName()
      const { body, collection, owner } = await createOf(entry, { labels: { label } })
      const search = `labels.label='${label}'` + (owner === null ? '' : ` and owner_id='${owner}'`)
      for (const list of [collection, `/${plural}`]) {
        const { body: page } = await server.get(
          `${list}?search=${encodeURIComponent(search)}&orderBy=name desc`,
        )
        expect(page).toMatchObject({ kind: `${kind}List`, total: 1, items: [body] })
      }
      const unknown = await server.get(`/${plural}?search=${encodeURIComponent("nothing='a'")}`)
      expect(unknown).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-005' } })
    })

    test('is not found as another kind or below another parent', async () => {
      const missing = await server.get(`/${plural}/nowhere`)
      expect(missing.body.detail).toBe(`${kind} with id='nowhere' not found`)
      const { body } = await createOf(entry)
      const other = must(
        CASES.find((candidate) => candidate.kind !== kind),
        'another kind',
      )
      expect((await server.get(`/${other.plural}/${body.id}`)).status).toBe(404)
      if (parent === null) return
      const { collection } = await placeOf(entry)
      expect((await server.get(`${collection}/${body.id}`)).status).toBe(404)
      const orphan = await server.post(
        collection.replace(/[^/]+(?=\/\w+$)/, 'nowhere'),
        creation(entry),
      )
      expect(orphan.body.detail).toBe(`${parent} with id='nowhere' not found`)
    })
  })

  test('follow the delete rule of their parent', async () => {
    const region = await createOf(caseOf('Region'))
    const channels = `/regions/${region.body.id}/channels`
    const channel = (await server.post(channels, creation({ kind: 'Channel' }))).body
    const releases = `/channels/${channel.id}/releases`
    const release = (await server.post(releases, creation({ kind: 'Release' }))).body
    const rejected = await server.request('DELETE', region.body.href)
    expect(rejected).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-003' } })
    expect((await server.request('DELETE', release.href)).status).toBe(202)
    const finalized = report('builder', {
      observed_generation: 2,
      conditions: [{ type: 'Finalized', status: 'True' }],
    })
    await server.post(`/releases/${release.id}/statuses`, finalized)
    expect((await server.get(release.href)).status).toBe(404)
    expect((await server.request('DELETE', region.body.href)).status).toBe(202)
    expect((await server.get(channel.href)).body.deleted_time).toEqual(expect.any(String))
  })

  test('are part of a valid OpenAPI document', async () => {
    const { body } = await server.get('/openapi')
    await SwaggerParser.validate(JSON.parse(JSON.stringify(body)))
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/regions',
        '/regions/{region_id}/channels/{channel_id}',
        '/channels/{channel_id}/releases/{channel_release_id}/statuses',
        '/nodepools/{nodepool_id}/disks',
      ]),
    )
    const { schemas } = body.components
    expect(schemas.ChannelSpec).toEqual({
      type: 'object',
      required: ['zone'],
      properties: { zone: { type: 'string', minLength: 1 } },
    })
    expect(schemas.ClusterCreateRequest.properties.name).toMatchObject({ maxLength: 20 })
    expect((await server.get('/openapi.yaml')).text).toContain('RegionSpec:')
  })

  test('have unambiguous paths, except by-name and bulk, which take precedence', async () => {
    const all = Object.keys((await server.get('/openapi')).body.paths)
    const templates = all.filter((template) => !/\/by-name\/\{|\/bulk$/.test(template))
    expect(templates.length).toBeLessThan(all.length)
    const ambiguous = templates.flatMap((one, place) =>
      templates.slice(place + 1).filter((other) => overlap(one, other)),
    )
    expect(ambiguous).toEqual([])
    const { body } = await server.get('/clusters/by-name/statuses')
    expect(body).toMatchObject({ status: 404, detail: expect.stringContaining("'statuses'") })
    expect(overlap('/a/{b}', '/a/c')).toBe(true)
  })
})

/** Whether a path can match both templates. */
function overlap(one: string, other: string): boolean {
  const [left, right] = [one.split('/'), other.split('/')]
  if (left.length !== right.length) return false
  return left.every(
    (step, place) => step === right[place] || `${step}${right[place]}`.includes('{'),
  )
}
