import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { creation, KIND_CASES, newName, queryDatabase } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { expectRefused, make, refs } from '../support/references.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import type { TestResponse } from '../support/test-server.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'

let pair: Pair
let referring: TestServer

beforeAll(async () => {
  pair = await startPair()
  referring = await startTestServer({ kinds: referringKinds })
})
afterAll(async () => {
  await pair[Symbol.asyncDispose]()
  await referring[Symbol.asyncDispose]()
})

const resultOf = ({ headers }: TestResponse) => headers.get('x-hyperfleet-upsert')

function put(path: string, body: object, headers: Record<string, string> = {}, side = 0) {
  return pair.at(side).request('PUT', path, body, { ...JSON_TYPE, ...headers })
}

describe.each(KIND_CASES)('PUT of by-name, for $kind', (kindCase) => {
  const { kind } = kindCase

  it('creates a resource, replaces its spec and labels, and then changes nothing', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const name = newName()
    const path = `${collection}/by-name/${name}`
    const annotations = { owner: 'ada' }
    const labels = { stage: 'one' }
    const created = await put(path, { kind, spec: { size: 1, old: true }, labels, annotations })
    expect(created).toMatchObject({
      status: 201,
      body: { name, generation: 1, spec: { size: 1, old: true }, labels, annotations },
    })
    expect(resultOf(created)).toBe('created')
    expect(created.headers.get('location')).toBe(created.body.href)
    expect(created.headers.get('x-write-token')).not.toBeNull()

    const body = { kind, name, spec: { size: 2 }, labels: { stage: 'two' } }
    const replaced = await put(path, body)
    expect(replaced).toMatchObject({
      status: 200,
      body: { id: created.body.id, generation: 2, annotations },
    })
    expect(replaced.body.spec).toEqual({ size: 2 })
    expect(replaced.body.labels).toEqual({ stage: 'two' })
    expect(resultOf(replaced)).toBe('replaced')
    expect(replaced.headers.get('content-location')).toBe(created.body.href)

    const unchanged = await put(path, body)
    expect(unchanged).toMatchObject({ status: 200, body: replaced.body })
    expect(resultOf(unchanged)).toBe('unchanged')
    expect(unchanged.headers.get('etag')).toBe(replaced.headers.get('etag'))
  })

  it('keeps the generation if only labels change, and removes labels that the body omits', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const path = `${collection}/by-name/${newName()}`
    await put(path, { kind, spec: { size: 1 }, labels: { a: '1' } })
    const replaced = await put(path, { kind, spec: { size: 1 } })
    expect(replaced).toMatchObject({ status: 200, body: { generation: 1 } })
    expect(replaced.body.labels).toEqual({})
    expect(resultOf(replaced)).toBe('replaced')
  })

  it('replaces annotations only if the body has them', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const path = `${collection}/by-name/${newName()}`
    await put(path, { kind, spec: {}, annotations: { a: '1' } })
    expect((await put(path, { kind, spec: {} })).body.annotations).toEqual({ a: '1' })
    const cleared = await put(path, { kind, spec: {}, annotations: {} })
    expect(cleared.body.annotations).toBeUndefined()
    expect(cleared.body.generation).toBe(1)
  })

  it('creates a new resource while the one with the name is being deleted', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const name = newName()
    const old = await pair.at(0).post(collection, creation(kind, { name }))
    await pair.at(0).request('DELETE', `${collection}/${old.body.id}`)
    const created = await put(`${collection}/by-name/${name}`, { kind, spec: {} })
    expect(created.status).toBe(201)
    expect(created.body.id).not.toBe(old.body.id)
  })

  it('creates a new name once, however many clients send it at the same time', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    for (let round = 0; round < 5; round += 1) {
      const path = `${collection}/by-name/${newName()}`
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, n) => put(path, { kind, spec: { n } }, {}, n)),
      )
      const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
      expect(statuses).toEqual([...Array.from({ length: 11 }, () => 200), 201])
      expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
      // Every request wrote another spec: none was lost.
      const generations = responses.map(({ body }) => body.generation)
      expect(new Set(generations).size).toBe(12)
    }
  })

  it('survives a race with deletions', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const path = `${collection}/by-name/${newName()}`
    const responses = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const written = await put(path, { kind, spec: { n } }, {}, n)
        const item = `${collection}/${written.body.id}`
        if (n % 2 === 0) await pair.at(n).request('DELETE', item)
        return written
      }),
    )
    expect(responses.filter(({ status }) => status >= 400)).toEqual([])
  })

  it('obeys If-Match and If-None-Match', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const path = `${collection}/by-name/${newName()}`
    const body = { kind, spec: { size: 1 } }
    for (const tag of ['*', '"none.1"']) {
      expectRefused(await put(path, body, { 'If-Match': tag }), 412, 'CNF-002')
    }
    const created = await put(path, body, { 'If-None-Match': '*' })
    expect(created.status).toBe(201)
    const etag = String(created.headers.get('etag'))
    expectRefused(await put(path, body, { 'If-None-Match': '*' }), 412, 'CNF-002')
    expectRefused(await put(path, { kind, spec: {} }, { 'If-None-Match': etag }), 412, 'CNF-002')
    const next = { kind, spec: { size: 2 } }
    expect(await put(path, next, { 'If-Match': etag })).toMatchObject({ status: 200 })
    expectRefused(await put(path, { kind, spec: {} }, { 'If-Match': etag }), 412, 'CNF-002')
    expect((await put(path, next, { 'If-Match': '*' })).status).toBe(200)
  })

  it('rejects another name in the body, invalid names and invalid bodies', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const other = await put(`${collection}/by-name/one`, { kind, name: 'two', spec: {} })
    expect(other).toMatchObject({ status: 400, body: { errors: [{ field: 'name' }] } })
    const wrong = await put(`${collection}/by-name/Not-A-Name`, { kind, spec: {} })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ field: 'name' }] } })
    const invalid = await put(`${collection}/by-name/one`, { kind: 'Other', labels: { a: 1 } })
    expect(invalid.status).toBe(400)
    expect(invalid.body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'kind',
      'labels.a',
      'spec',
    ])
  })

  it('stores nothing in a dry run', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const path = `${collection}/by-name/${newName()}`
    const dry = await put(`${path}?dryRun=All`, { kind, spec: { size: 1 } })
    expect(dry.status).toBe(201)
    expect(dry.headers.get('x-write-token')).toBeNull()
    expect((await pair.at(0).get(path)).status).toBe(404)
    const created = await put(path, { kind, spec: { size: 1 } })
    const replaced = await put(`${path}?dryRun=All`, { kind, spec: { size: 2 } })
    expect(replaced).toMatchObject({ status: 200, body: { generation: 2 } })
    expect(await pair.at(0).get(path)).toMatchObject({ body: { ...created.body } })
  })
})

describe('PUT of by-name below a parent', () => {
  it('requires a live parent', async () => {
    const body = { kind: 'NodePool', spec: {} }
    expectRefused(await put('/clusters/none/nodepools/by-name/pool', body), 404, 'NTF-001')
    const { body: cluster } = await pair.at(0).post('/clusters', creation('Cluster'))
    await pair.at(0).request('DELETE', `/clusters/${cluster.id}`)
    const path = `/clusters/${cluster.id}/nodepools/by-name/pool`
    expectRefused(await put(path, body), 409, 'CNF-003')
  })

  it('has no flat path', async () => {
    const { status } = await put('/nodepools/by-name/pool', { kind: 'NodePool', spec: {} })
    expect([404, 405]).toContain(status)
  })
})

describe('PUT of by-name for a kind with references', () => {
  it('replaces references, and checks their targets', async () => {
    const [first, second] = [
      await make(referring, '/wifconfigs', 'WifConfig'),
      await make(referring, '/wifconfigs', 'WifConfig'),
    ]
    const path = `/channels/by-name/${newName()}`
    const body = (id: string) => ({
      kind: 'Channel',
      spec: {},
      references: { wif_config: refs(id) },
    })
    expect((await referring.put(path, body(first))).status).toBe(201)
    const replaced = await referring.put(path, body(second))
    expect(replaced).toMatchObject({ status: 200, body: { generation: 2 } })
    expect(replaced.body.references.wif_config[0].id).toBe(second)
    expectRefused(await referring.put(path, body('none')), 400, 'VAL-000')
    expectRefused(await referring.put(path, { kind: 'Channel', spec: {} }), 400, 'VAL-000')
    const rows = await queryDatabase(referring, 'select refs from resources where kind = $1', [
      'Channel',
    ])
    expect(rows).toEqual([{ refs: { wif_config: [second] } }])
  })
})
