import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { availableReport } from '../statuses/available-report.ts'
import { conditionsOf } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { expectRefused, make, refs, shown } from '../support/references.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ kinds: [...kinds, ...referringKinds] })
})
afterAll(() => server[Symbol.asyncDispose]())

const makeWif = () => make(server, '/wifconfigs', 'WifConfig')
const makeNetwork = () => make(server, '/networks', 'Network')
const makeSubnet = (network: string) => make(server, `/networks/${network}/subnets`, 'Subnet')
const makeChannel = (references: object) => make(server, '/channels', 'Channel', { references })

describe('PATCH of references', () => {
  const MERGE = { 'Content-Type': 'application/merge-patch+json' }
  const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' }

  let wifs: readonly [string, string]
  let networks: readonly [string, string]
  let item: string

  beforeEach(async () => {
    wifs = [await makeWif(), await makeWif()]
    networks = [await makeNetwork(), await makeNetwork()]
    const references = { wif_config: refs(wifs[0]), network: refs(networks[0]) }
    item = `/channels/${await makeChannel(references)}`
  })

  const patch = (body: unknown, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
    server.request('PATCH', item, body, headers)

  /** Sends a valid patch and returns the resulting ids by type. */
  async function idsAfter(body: unknown, headers?: Readonly<Record<string, string>>) {
    const response = await patch(body, headers)
    expect(response.status, response.text).toBe(200)
    expect((await server.get(item)).body.references).toEqual(response.body.references)
    const types: Record<string, { id: string }[]> = response.body.references
    return Object.fromEntries(
      Object.entries(types).map(([type, targets]) => [type, targets.map(({ id }) => id)]),
    )
  }

  it('replaces the whole map, so that missing types become empty', async () => {
    expect(await idsAfter({ references: { wif_config: refs(wifs[1]) } })).toEqual({
      wif_config: [wifs[1]],
      network: [],
      subnet: [],
    })
  })

  it('merges by type with a merge patch, and clears types that are null', async () => {
    expect(await idsAfter({ references: { wif_config: refs(wifs[1]) } }, MERGE)).toEqual({
      wif_config: [wifs[1]],
      network: [networks[0]],
      subnet: [],
    })
    expect(await idsAfter({ references: { network: null } }, MERGE)).toMatchObject({
      wif_config: [wifs[1]],
      network: [],
    })
  })

  it('applies a JSON Patch to the references as GET returns them', async () => {
    const operations = [
      {
        op: 'test',
        path: '/references/network/0/href',
        value: `${BASE_PATH}/networks/${networks[0]}`,
      },
      { op: 'add', path: '/references/network/-', value: { id: networks[1] } },
      { op: 'replace', path: '/references/wif_config/0', value: { id: wifs[1] } },
    ]
    expect(await idsAfter(operations, JSON_PATCH)).toEqual({
      wif_config: [wifs[1]],
      network: [...networks],
      subnet: [],
    })
    const removal = [{ op: 'remove', path: '/references/network/0' }]
    expect(await idsAfter(removal, JSON_PATCH)).toMatchObject({ network: [networks[1]] })
  })

  it('keeps references that the patch does not contain', async () => {
    expect(await idsAfter({ spec: { size: 2 } })).toMatchObject({ network: [networks[0]] })
    expect(await idsAfter({ labels: { a: 'b' } }, MERGE)).toMatchObject({ wif_config: [wifs[0]] })
  })

  it('increments the generation and sets Ready to False', async () => {
    await server.post(`${item}/statuses`, availableReport('publisher', 1))
    const before = (await server.get(item)).body
    const response = await patch({ references: { wif_config: refs(wifs[0]) } })
    expect(conditionsOf(before).get('Ready')).toMatchObject({ status: 'True' })
    expect(response.body.generation).toBe(2)
    expect(conditionsOf(response.body).get('Ready')).toMatchObject({
      status: 'False',
      observed_generation: 2,
    })
  })

  it('writes nothing if the targets are the same', async () => {
    const before = await server.get(item)
    const response = await patch({
      references: { network: refs(networks[0]), wif_config: refs(wifs[0]) },
    })
    expect(response.body).toEqual(before.body)
    expect(response.headers.get('etag')).toBe(before.headers.get('etag'))
  })

  it('releases the previous targets for deletion', async () => {
    await idsAfter({ references: { wif_config: refs(wifs[1]) } })
    for (const path of [`/wifconfigs/${wifs[0]}`, `/networks/${networks[0]}`]) {
      expect((await server.request('DELETE', path)).status).toBe(202)
    }
    const kept = await server.request('DELETE', `/wifconfigs/${wifs[1]}`)
    expectRefused(kept, 409, 'CNF-003')
    const found = await server.get(`/channels?ref_target_id=${wifs[0]}`)
    expect(found.body.total).toBe(0)
  })

  it('supports dry run, which stores nothing', async () => {
    const before = (await server.get(item)).body
    const dry = await server.patch(`${item}?dryRun=All`, {
      references: { wif_config: refs(wifs[1]) },
    })
    expect(dry.body.references.wif_config).toEqual(shown('WifConfig', 'wifconfigs', wifs[1]))
    expect((await server.get(item)).body).toEqual(before)
  })

  const TOO_FEW = 'references.wif_config must have at least 1 item'
  const rejected: readonly (readonly [
    title: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
    detail: string,
  ])[] = [
    ['an empty map', { references: {} }, JSON_TYPE, TOO_FEW],
    ['too few targets', { references: { wif_config: [] } }, JSON_TYPE, TOO_FEW],
    ['null', { references: null }, JSON_TYPE, 'references must be object'],
    [
      'too many targets',
      { references: { wif_config: refs('a', 'b') } },
      JSON_TYPE,
      'at most 1 item',
    ],
    ['a repeated id', { references: { network: refs('a', 'a') } }, JSON_TYPE, 'appears twice'],
    ['an unknown type', { references: { wif: [] } }, JSON_TYPE, 'references.wif is not a member'],
    ['a merge patch that removes all', { references: null }, MERGE, TOO_FEW],
    [
      'a merge patch with null for a required type',
      { references: { wif_config: null } },
      MERGE,
      TOO_FEW,
    ],
    [
      'a merge patch with too many targets',
      { references: { wif_config: refs('a', 'b') } },
      MERGE,
      'at most 1 item',
    ],
    [
      'a merge patch with an unknown type',
      { references: { wif: [] } },
      MERGE,
      'references.wif is not a',
    ],
    [
      'a merge patch with text',
      { references: { wif_config: 'a' } },
      MERGE,
      'references.wif_config must be',
    ],
    [
      'a JSON Patch that removes the last target',
      [{ op: 'remove', path: '/references/wif_config/0' }],
      JSON_PATCH,
      TOO_FEW,
    ],
    ['a JSON Patch that removes all', [{ op: 'remove', path: '/references' }], JSON_PATCH, TOO_FEW],
    [
      'a JSON Patch that adds text',
      [{ op: 'add', path: '/references/network/0', value: 'x' }],
      JSON_PATCH,
      'references.network[0] must be object',
    ],
    [
      'a JSON Patch that replaces the map with text',
      [{ op: 'replace', path: '/references', value: 'x' }],
      JSON_PATCH,
      'references must be object',
    ],
    [
      'a JSON Patch with another kind',
      [{ op: 'add', path: '/references/network/0', value: { id: 'a', kind: 'Channel' } }],
      JSON_PATCH,
      "references.network[0].kind must be 'Network'",
    ],
    [
      'a JSON Patch whose id and href differ',
      [{ op: 'replace', path: '/references/network/0/id', value: 'x' }],
      JSON_PATCH,
      `references.network[0].href must be '${BASE_PATH}/networks/x'`,
    ],
    [
      'a missing target',
      { references: { network: refs('nowhere') } },
      MERGE,
      "references.network[0]: Network with id='nowhere' not found",
    ],
  ]

  it.each(rejected)('returns 400 for %s', async (_title, body, headers, detail) => {
    const before = (await server.get(item)).body
    expect(expectRefused(await patch(body, headers), 400, 'VAL-000')).toContain(detail)
    expect((await server.get(item)).body).toEqual(before)
  })

  it('returns 409 for a target that is being deleted', async () => {
    await server.request('DELETE', `/networks/${networks[1]}`)
    const response = await patch({ references: { network: refs(networks[1]) } }, MERGE)
    expectRefused(response, 409, 'CNF-003')
  })

  it('is possible in a JSON Patch only for kinds with references', async () => {
    const wif = `/wifconfigs/${wifs[0]}`
    const operations = [{ op: 'add', path: '/references/wif_config', value: [] }]
    const response = await server.request('PATCH', wif, operations, JSON_PATCH)
    expect(expectRefused(response, 400, 'VAL-000')).toContain(
      'must lead into /spec, /labels or /annotations',
    )
    const elsewhere = await patch([{ op: 'remove', path: '/status' }], JSON_PATCH)
    expect(expectRefused(elsewhere, 400, 'VAL-000')).toContain(
      'must lead into /spec, /labels, /annotations or /references',
    )
    const merged = await server.request('PATCH', wif, { references: {} }, MERGE)
    expect(expectRefused(merged, 400, 'VAL-000')).toContain('references is not a member')
  })

  it('allows a reference of a resource to itself, which does not block its deletion', async () => {
    const id = await makeSubnet(networks[0])
    const response = await server.patch(`/subnets/${id}`, { references: { peer: refs(id) } })
    expect(response.status, response.text).toBe(200)
    expect((await server.request('DELETE', `/subnets/${id}`)).status).toBe(202)
  })
})
