import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { creation } from '../support/fixtures.ts'
import { finalizing, JSON_TYPE, reportAll } from '../support/lifecycle.ts'
import { expectRefused, make, refs, shown } from '../support/references.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ kinds: [...kinds, ...referringKinds] })
})
afterAll(() => server[Symbol.asyncDispose]())

const makeWif = (members: object = {}) => make(server, '/wifconfigs', 'WifConfig', members)
const makeNetwork = () => make(server, '/networks', 'Network')
const makeSubnet = (network: string, members: object = {}) =>
  make(server, `/networks/${network}/subnets`, 'Subnet', members)
const makeChannel = (references: object) => make(server, '/channels', 'Channel', { references })

const postChannel = (references?: unknown): Promise<TestResponse> =>
  server.post('/channels', creation('Channel', references === undefined ? {} : { references }))

describe('a resource of a kind that declares references', () => {
  it('returns every declared type with its targets by ID, kind and href', async () => {
    const wif = await makeWif()
    const networks = [await makeNetwork(), await makeNetwork()]
    const answer = await postChannel({ wif_config: refs(wif), network: refs(...networks) })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.references).toEqual({
      wif_config: shown('WifConfig', 'wifconfigs', wif),
      network: shown('Network', 'networks', ...networks),
      subnet: [],
    })
    expect((await server.get(`/channels/${answer.body.id}`)).body).toEqual(answer.body)
    const listed = await server.get(`/channels?search=id='${answer.body.id}'`)
    expect(listed.body.items).toEqual([answer.body])
  })

  it('returns types without targets as empty lists', async () => {
    const id = await makeSubnet(await makeNetwork())
    expect((await server.get(`/subnets/${id}`)).body.references).toEqual({ peer: [] })
  })

  it('accepts the references that GET returns', async () => {
    const wif = await makeWif()
    const answer = await postChannel({ wif_config: shown('WifConfig', 'wifconfigs', wif) })
    expect(answer.body.references.wif_config).toEqual(shown('WifConfig', 'wifconfigs', wif))
  })

  it('can be created with an Idempotency-Key, once', async () => {
    const body = creation('Channel', { references: { wif_config: refs(await makeWif()) } })
    const headers = { ...JSON_TYPE, 'Idempotency-Key': 'a-channel' }
    const first = await server.request('POST', '/channels', body, headers)
    const second = await server.request('POST', '/channels', body, headers)
    expect(first.status, first.text).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(first.body.references.wif_config).toHaveLength(1)
  })

  it('is checked by a dry run, which stores nothing', async () => {
    const wif = await makeWif()
    const body = creation('Channel', { references: { wif_config: refs(wif) } })
    const dry = await server.post('/channels?dryRun=All', body)
    expect(dry.status, dry.text).toBe(201)
    expect(dry.body.references.wif_config).toEqual(shown('WifConfig', 'wifconfigs', wif))
    expect((await server.request('DELETE', `/wifconfigs/${wif}`)).status).toBe(202)
    const again = await server.post('/channels?dryRun=All', body)
    expectRefused(again, 400, 'VAL-000')
  })

  it('can be projected to its references, or to one type of them', async () => {
    const id = await makeChannel({ wif_config: refs(await makeWif()) })
    const fields = async (names: string) =>
      (await server.get(`/channels?search=id='${id}'&fields=${names}`)).body.items[0]
    expect(Object.keys((await fields('references')).references)).toEqual([
      'wif_config',
      'network',
      'subnet',
    ])
    expect(Object.keys((await fields('references.wif_config')).references)).toEqual(['wif_config'])
    expectRefused(await server.get('/channels?fields=references.peer'), 400, 'VAL-000')
    expectRefused(await server.get('/wifconfigs?fields=references'), 400, 'VAL-000')
  })
})

describe('a kind without references', () => {
  it('ignores the field in a create and does not return it', async () => {
    const answer = await server.post(
      '/wifconfigs',
      creation('WifConfig', { references: { wif_config: 'anything' } }),
    )
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('references')
  })

  it('rejects it in a PATCH like any unknown field', async () => {
    const id = await makeWif()
    const detail = expectRefused(
      await server.patch(`/wifconfigs/${id}`, { references: {} }),
      400,
      'VAL-000',
    )
    expect(detail).toContain('references is not a member that this request takes')
  })
})

describe('a create is rejected with 400', () => {
  const details: readonly (readonly [title: string, references: unknown, detail: string])[] = [
    ['no references', undefined, 'references.wif_config must have at least 1 item'],
    ['null', null, 'references is required'],
    ['a list', [], 'references must be object'],
    ['a type left out', {}, 'references.wif_config must have at least 1 item'],
    ['too few', { wif_config: [] }, 'references.wif_config must have at least 1 item'],
    ['too many', { wif_config: refs('a', 'b') }, 'references.wif_config must have at most 1 item'],
    ['no list', { wif_config: { id: 'a' } }, 'references.wif_config must be array'],
    ['an unknown type', { wif: [] }, 'references.wif is not a member that this request takes'],
    ['a type that is a name of JavaScript', { constructor: [] }, 'references.constructor is not'],
    ['a text as item', { wif_config: ['a'] }, 'references.wif_config[0] must be object'],
    ['no id', { wif_config: [{}] }, 'references.wif_config[0].id is required'],
    ['an empty id', { wif_config: refs('') }, 'references.wif_config[0].id is required'],
    ['a number as id', { wif_config: [{ id: 1 }] }, 'references.wif_config[0].id must be string'],
    [
      'another kind',
      { wif_config: [{ id: 'a', kind: 'Network' }] },
      "references.wif_config[0].kind must be 'WifConfig'",
    ],
    [
      'another href',
      { wif_config: [{ id: 'a', href: `${BASE_PATH}/networks/a` }] },
      `references.wif_config[0].href must be '${BASE_PATH}/wifconfigs/a'`,
    ],
    ['a NUL', { wif_config: refs('a\0b') }, 'references.wif_config[0].id'],
  ]

  it.each(details)('for %s', async (_title, references, detail) => {
    expect(expectRefused(await postChannel(references), 400, 'VAL-000')).toContain(detail)
  })

  it('for the same target twice under one type', async () => {
    const [wif, network] = [await makeWif(), await makeNetwork()]
    const references = { wif_config: refs(wif), network: refs(network, network) }
    const detail = expectRefused(await postChannel(references), 400, 'VAL-000')
    expect(detail).toBe(`references.network[1].id '${network}' appears twice`)
  })

  it('for targets that do not exist or are of another kind, and names all of them', async () => {
    const [wif, network] = [await makeWif(), await makeNetwork()]
    const references = { wif_config: refs(network), network: refs(network, 'nowhere') }
    const answer = await postChannel(references)
    const detail = expectRefused(answer, 400, 'VAL-000')
    expect(detail).toContain(`references.wif_config[0]: WifConfig with id='${network}' not found`)
    expect(detail).toContain("references.network[1]: Network with id='nowhere' not found")
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'references.wif_config[0]',
      'references.network[1]',
    ])
    expect((await postChannel({ wif_config: refs(wif) })).status).toBe(201)
  })

  it('together with all other errors of the body', async () => {
    const answer = await server.post('/channels', { kind: 'Channel', name: 'a', references: {} })
    const detail = expectRefused(answer, 400, 'VAL-000')
    expect(detail).toContain('name must be at least 3 characters')
    expect(detail).toContain('spec is required')
    expect(detail).toContain('references.wif_config must have at least 1 item')
  })

  it('before the parent is read', async () => {
    const body = creation('Subnet', { references: { peer: refs('nowhere') } })
    expectRefused(await server.post('/networks/nowhere/subnets', body), 400, 'VAL-000')
    const sound = creation('Subnet', { references: { peer: [] } })
    expectRefused(await server.post('/networks/nowhere/subnets', sound), 404, 'NTF-001')
  })
})

describe('a target that is being deleted', () => {
  it('cannot be referred to', async () => {
    const network = await makeNetwork()
    expect((await server.request('DELETE', `/networks/${network}`)).status).toBe(202)
    const answer = await postChannel({ wif_config: refs(await makeWif()), network: refs(network) })
    expect(expectRefused(answer, 409, 'CNF-003')).toBe(
      `references.network[0]: Network with id='${network}' is being deleted: refer to another one`,
    )
  })
})

describe('a resource that other resources refer to', () => {
  const deleteOf = (path: string) => server.request('DELETE', path)

  it('cannot be deleted, and the error names them', async () => {
    const wif = await makeWif()
    const name = 'the-referrer'
    const body = creation('Channel', { name, references: { wif_config: refs(wif) } })
    const { id } = (await server.post('/channels', body)).body
    expect(expectRefused(await deleteOf(`/wifconfigs/${wif}`), 409, 'CNF-003')).toBe(
      `WifConfig with id='${wif}' cannot be deleted while other resources refer to it: Channel '${name}' (${id})`,
    )
    expectRefused(await deleteOf(`/wifconfigs/${wif}?dryRun=All`), 409, 'CNF-003')
    expect((await server.get(`/wifconfigs/${wif}`)).body).not.toHaveProperty('deleted_time')
  })

  it('names the first ten and counts the rest', async () => {
    const wif = await makeWif()
    const ids: string[] = []
    for (let count = 0; count < 12; count += 1) {
      ids.push(await makeChannel({ wif_config: refs(wif) }))
    }
    const detail = expectRefused(await deleteOf(`/wifconfigs/${wif}`), 409, 'CNF-003')
    const sorted = ids.toSorted()
    expect(sorted.map((id) => detail.includes(id))).toEqual(ids.map((_id, place) => place < 10))
    expect(detail).toMatch(/ and 2 more$/)
  })

  it('cannot be deleted until its referrer is removed', async () => {
    const wif = await makeWif()
    const id = await makeChannel({ wif_config: refs(wif) })
    expect((await deleteOf(`/channels/${id}`)).status).toBe(202)
    expectRefused(await deleteOf(`/wifconfigs/${wif}`), 409, 'CNF-003')
    const done = await reportAll(server, `/channels/${id}`, ['publisher'], finalizing(2))
    expect(done[0]?.status, done[0]?.text).toBe(201)
    expect((await server.get(`/channels/${id}`)).status).toBe(404)
    expect((await deleteOf(`/wifconfigs/${wif}`)).status).toBe(202)
    expect((await server.get(`/wifconfigs/${wif}`)).status).toBe(404)
  })

  it('blocks the deletion of its ancestors', async () => {
    const network = await makeNetwork()
    const subnet = await makeSubnet(network)
    const id = await makeChannel({ wif_config: refs(await makeWif()), subnet: refs(subnet) })
    const detail = expectRefused(await deleteOf(`/networks/${network}`), 409, 'CNF-003')
    expect(detail).toContain('while other resources refer to it or to its descendants: Channel')
    expect(detail).toContain(id)
  })

  it('does not block the deletion of an ancestor that it refers to', async () => {
    const network = await makeNetwork()
    const first = await makeSubnet(network)
    const second = await makeSubnet(network, { references: { peer: refs(first) } })
    expectRefused(await deleteOf(`/subnets/${first}`), 409, 'CNF-003')
    expect((await deleteOf(`/networks/${network}`)).status).toBe(202)
    for (const id of [first, second]) expect((await server.get(`/subnets/${id}`)).status).toBe(404)
  })

  it('is not blocked by an equal ID under another type', async () => {
    const [wif, network] = [await makeWif(), await makeNetwork()]
    await makeChannel({ wif_config: refs(wif), network: refs(network) })
    expectRefused(await deleteOf(`/networks/${network}`), 409, 'CNF-003')
    const other = await makeNetwork()
    expect((await deleteOf(`/networks/${other}`)).status).toBe(202)
  })

  it('can be force-deleted once it is being deleted, because it has no referrers then', async () => {
    const network = await makeNetwork()
    await deleteOf(`/networks/${network}`)
    const forced = await server.post(`/networks/${network}/force-delete`, { reason: 'a test' })
    expect(forced.status).toBe(204)
  })
})

describe('a list of a kind with references', () => {
  let wifs: readonly [string, string]
  let network: string
  const channels: Record<'a' | 'b' | 'c', string> = { a: '', b: '', c: '' }

  beforeAll(async () => {
    wifs = [await makeWif(), await makeWif()]
    network = await makeNetwork()
    channels.a = await makeChannel({ wif_config: refs(wifs[0]), network: refs(network) })
    channels.b = await makeChannel({ wif_config: refs(wifs[0]) })
    channels.c = await makeChannel({ wif_config: refs(wifs[1]), network: refs(network) })
  })

  async function found(query: string): Promise<readonly string[]> {
    const { status, body, text } = await server.get(`/channels?pageSize=1000&${query}`)
    expect(status, text).toBe(200)
    expect(body.total).toBe(body.items.length)
    const ids: readonly string[] = body.items.map(({ id }: { id: string }) => id)
    return Object.entries(channels).flatMap(([name, id]) => (ids.includes(id) ? [name] : []))
  }

  it('can be filtered by the target of any type', async () => {
    expect(await found(`ref_target_id=${wifs[0]}`)).toEqual(['a', 'b'])
    expect(await found(`ref_target_id=${network}`)).toEqual(['a', 'c'])
    expect(await found('ref_target_id=nowhere')).toEqual([])
    expect(await found('ref_target_id=%00')).toEqual([])
    expect(await found('ref_target_id=%ED%A0%80')).toEqual([])
    expect(await found(`ref_target_id=%22]}'--`)).toEqual([])
  })

  it('can be filtered by the type', async () => {
    expect(await found('ref_type=network')).toEqual(['a', 'c'])
    expect(await found('ref_type=wif_config')).toEqual(['a', 'b', 'c'])
    expect(await found('ref_type=subnet')).toEqual([])
  })

  it('can be filtered by both', async () => {
    expect(await found(`ref_type=network&ref_target_id=${network}`)).toEqual(['a', 'c'])
    expect(await found(`ref_type=wif_config&ref_target_id=${network}`)).toEqual([])
  })

  it('can be filtered by references and search together', async () => {
    const search = encodeURIComponent(`id='${channels.b}' or id='${channels.c}'`)
    expect(await found(`ref_target_id=${wifs[0]}&search=${search}`)).toEqual(['b'])
  })

  it('has pages like any other list', async () => {
    const page = await server.get(`/channels?ref_target_id=${wifs[0]}&pageSize=1&page=2`)
    expect(page.body).toMatchObject({ page: 2, size: 1, total: 2 })
  })

  it('rejects an unknown type and names the known ones', async () => {
    const answer = await server.get('/channels?ref_type=peer')
    const detail = expectRefused(answer, 400, 'VAL-000')
    expect(detail).toContain('ref_type')
    expect(detail).toContain('wif_config, network, subnet')
  })

  it('rejects empty and repeated parameters', async () => {
    for (const query of ['ref_type=', 'ref_target_id=', 'ref_target_id=a&ref_target_id=b']) {
      expectRefused(await server.get(`/channels?${query}`), 400, 'VAL-000')
    }
  })

  it('can be filtered below a parent too', async () => {
    const [first, second] = [await makeNetwork(), await makeNetwork()]
    const target = await makeSubnet(first)
    const inFirst = await makeSubnet(first, { references: { peer: refs(target) } })
    await makeSubnet(second, { references: { peer: refs(target) } })
    const idsAt = async (path: string) =>
      (await server.get(`${path}?ref_target_id=${target}`)).body.items.map(
        ({ id }: { id: string }) => id,
      )
    expect(await idsAt(`/networks/${first}/subnets`)).toEqual([inFirst])
    expect(await idsAt('/subnets')).toHaveLength(2)
    expect((await server.get('/networks/nowhere/subnets?ref_type=peer')).status).toBe(404)
  })

  it('has no such filters if the kind declares no references', async () => {
    const answer = await server.get('/wifconfigs?ref_type=peer&ref_target_id=x')
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'ref_type' }, { field: 'ref_target_id' }])
  })
})

describe('the OpenAPI document', () => {
  it('has the references of responses and requests, and the filters of lists', async () => {
    const { paths, components } = (await server.get('/openapi')).body
    const { Channel, ChannelCreateRequest, WifConfig } = components.schemas
    expect(Channel.required).toContain('references')
    expect(Object.keys(Channel.properties.references.properties)).toEqual([
      'wif_config',
      'network',
      'subnet',
    ])
    expect(ChannelCreateRequest.required).toContain('references')
    expect(ChannelCreateRequest.properties.references.properties.network.maxItems).toBe(2)
    expect(WifConfig.properties).not.toHaveProperty('references')
    const filtersOf = (path: string) =>
      paths[path].get.parameters.flatMap(({ name }: { name?: string }) =>
        name?.startsWith('ref_') === true ? [name] : [],
      )
    expect(filtersOf('/channels')).toEqual(['ref_type', 'ref_target_id'])
    expect(filtersOf('/networks/{network_id}/subnets')).toEqual(['ref_type', 'ref_target_id'])
    expect(filtersOf('/wifconfigs')).toEqual([])
    expect(filtersOf('/resources')).toEqual(['ref_type', 'ref_target_id'])
  })
})
