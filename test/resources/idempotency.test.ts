import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create, creation, KIND_CASES, queryDatabase } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import type { TestResponse } from '../support/test-server.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'

let pair: Pair
let keys = 0

beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair[Symbol.asyncDispose]())

function newKey(): string {
  keys += 1
  return `key-${keys}`
}

function post(collection: string, body: unknown, key: string, side = 0): Promise<TestResponse> {
  return pair.at(side).request('POST', collection, body, { ...JSON_TYPE, 'Idempotency-Key': key })
}

describe.each(KIND_CASES)('create $kind with an Idempotency-Key', (kindCase) => {
  const { kind } = kindCase

  test('returns the first response again, even if the resource has changed', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const body = creation(kind, { labels: { once: 'yes' } })
    const key = newKey()
    const first = await post(collection, body, key)
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const item = `${collection}/${first.body.id}`
    await pair.at(0).patch(item, { labels: { changed: 'yes' } })
    for (const side of [0, 1]) {
      const again = await post(collection, body, key, side)
      expect(again).toMatchObject({ status: 201, text: first.text })
      for (const header of ['etag', 'location']) {
        expect(again.headers.get(header)).toBe(first.headers.get(header))
      }
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
    const search = `search=${encodeURIComponent(`name='${body.name}'`)}`
    expect((await pair.at(1).get(`${collection}?${search}`)).body.total).toBe(1)
  })

  test('creates a single resource for concurrent requests to two servers', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    for (let round = 0; round < 5; round += 1) {
      const body = creation(kind)
      const key = newKey()
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, side) => post(collection, body, key, side)),
      )
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    }
  })

  test('rejects a different body with the same key', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const key = newKey()
    await post(collection, creation(kind), key)
    expect(await post(collection, creation(kind), key, 1)).toMatchObject({
      status: 422,
      body: { code: 'HYPERFLEET-VAL-000', detail: expect.stringContaining(`'${key}'`) },
    })
  })

  test('accepts an equal body in a different format', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const body = creation(kind)
    const key = newKey()
    const first = await post(collection, body, key)
    expect((await post(collection, JSON.stringify(body, null, 2), key)).text).toBe(first.text)
  })

  test('does not store failures', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const key = newKey()
    const taken = await create(pair.at(0), kindCase, {}, collection)
    const body = creation(kind, { name: taken.body.name })
    expect((await post(collection, body, key)).status).toBe(409)
    await pair.at(0).request('DELETE', taken.item)
    expect((await post(collection, body, key)).status).toBe(201)
  })

  test('separates the keys of different collections', async () => {
    const collections = [
      await kindCase.collectionOf(pair.at(0)),
      await kindCase.collectionOf(pair.at(0)),
    ]
    const key = newKey()
    const created = await Promise.all(
      [...new Set(collections)].map((collection) => post(collection, creation(kind), key)),
    )
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
  })

  test('expires a key after 24 hours and deletes its row', async () => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const [key, other] = [newKey(), newKey()]
    await post(collection, creation(kind), key)
    await post(collection, creation(kind), other)
    await pair.query(
      `update idempotency_keys set created_time = created_time - interval '24 hours'
       where key = any($1)`,
      [[key, other]],
    )
    const later = creation(kind)
    const response = await post(collection, later, key)
    expect(response).toMatchObject({ status: 201, body: { name: later.name } })
    const { rows } = await pair.query('select key from idempotency_keys where key = any($1)', [
      [key, other],
    ])
    expect(rows).toEqual([{ key }])
  })

  test.each(['', 'with space', 'x'.repeat(256), 'ümlaut'])('rejects the key %j', async (key) => {
    const collection = await kindCase.collectionOf(pair.at(0))
    const response = await post(collection, creation(kind), Buffer.from(key).toString('latin1'))
    expect(response).toMatchObject({
      status: 400,
      body: {
        code: 'HYPERFLEET-VAL-000',
        errors: [{ field: 'idempotency-key' }],
      },
    })
  })
})

test('stores the key in the same transaction as the resource', async () => {
  const key = newKey()
  const { body } = await post('/clusters', creation('Cluster'), key)
  const rows = await queryDatabase(
    pair.at(0),
    `select resources.xmin = idempotency_keys.xmin as same from idempotency_keys
     join resources on id = resource_id where key = $1 and id = $2`,
    [key, body.id],
  )
  expect(rows).toEqual([{ same: true }])
})
