import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mergePatchInSteps } from '../../src/http/patching/merge-patch.ts'
import { allSteps } from '../../src/lib/async/steps.ts'
import { conditionsOf, create, KIND_CASES, queryDatabase, report } from '../support/fixtures.ts'
import { patchAs } from '../support/patch-types.ts'
import { proofTurns } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const merge = (path: string, body: unknown) => patchAs(server, 'merge', path, body)

async function rowOf(id: string) {
  const [row] = await queryDatabase(server, 'select *, xmin::text from resources where id = $1', [
    id,
  ])
  return row
}

const SPEC = { keep: 1, drop: 'x', deep: { keep: [1, { a: 1 }], drop: null }, list: [{ a: 1 }] }

describe.each(KIND_CASES)('a merge patch of $kind', (kindCase) => {
  const { flat, requiredAdapters } = kindCase

  test('merges the spec recursively, removes null fields and replaces lists', async () => {
    const { body, item } = await create(server, kindCase, { spec: SPEC, labels: { a: 'b' } })
    await sleep(2)
    const response = await merge(item, {
      spec: { drop: null, deep: { drop: null, new: { x: [null] } }, list: [{ b: null }] },
    })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      ...body,
      spec: {
        keep: 1,
        deep: { keep: [1, { a: 1 }], new: { x: [null] } },
        list: [{ b: null }],
      },
      generation: 2,
      updated_time: expect.any(String),
      status: expect.anything(),
    })
    expect(response.body.updated_time > body.updated_time).toBe(true)
    expect((await server.get(`${flat}/${body.id}`)).body).toEqual(response.body)
  })

  test('replaces an object with a list and a list with an object', async () => {
    const { item } = await create(server, kindCase, { spec: { a: { b: 1 }, c: [1], d: 'x' } })
    const { body } = await merge(item, { spec: { a: [2], c: { e: null, f: 1 }, d: { g: {} } } })
    expect(body.spec).toEqual({ a: [2], c: { f: 1 }, d: { g: {} } })
  })

  test('merges labels and annotations, and keeps generation and conditions', async () => {
    const { body, item } = await create(server, kindCase, {
      labels: { a: '1', b: '2' },
      annotations: { x: '1' },
    })
    const response = await merge(item, {
      labels: { a: null, c: '3' },
      annotations: { 'example.com/y': '2' },
    })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      ...body,
      labels: { b: '2', c: '3' },
      annotations: { x: '1', 'example.com/y': '2' },
      updated_time: expect.any(String),
    })
  })

  test('removes all labels and annotations if they are null', async () => {
    const { item } = await create(server, kindCase, { labels: { a: '1' }, annotations: { b: '2' } })
    const { status, body } = await merge(item, { labels: null, annotations: null })
    expect({ status, labels: body.labels }).toEqual({ status: 200, labels: {} })
    expect(body).not.toHaveProperty('annotations')
    expect((await server.get(item)).body).toEqual(body)
  })

  test('sets Ready to False and keeps Available if the spec changes', async () => {
    const { item } = await create(server, kindCase, { spec: { a: 1 } })
    for (const adapter of requiredAdapters) await server.post(`${item}/statuses`, report(adapter))
    const before = conditionsOf((await server.get(item)).body)
    const after = conditionsOf((await merge(item, { spec: { b: 1 } })).body)
    expect(after.get('Available')).toEqual(before.get('Available'))
    expect(after.get('Ready')).toMatchObject({ status: 'False', observed_generation: 2 })
  })

  test.each(
    proofTurns<[string, string]>(kindCase, [
      ['an empty object for the spec', '{"spec":{}}'],
      ['equal values in the spec', '{"spec":{"keep":1.0,"deep":{"keep":[1,{"a":1}]}}}'],
      ['null for missing fields of the spec', '{"spec":{"other":null,"deep":{"other":null}}}'],
      ['equal labels, and null for a missing one', '{"labels":{"a":"1","z":null}}'],
      ['null annotations if the resource has none', '{"annotations":null}'],
      ['empty objects for all three fields', '{"spec":{},"labels":{},"annotations":{}}'],
    ]),
  )('writes nothing for %s', async (_what, text) => {
    const { body, item } = await create(server, kindCase, { spec: SPEC, labels: { a: '1' } })
    const before = await rowOf(body.id)
    await sleep(2)
    const response = await merge(item, text)
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body })
    expect(await rowOf(body.id)).toEqual(before)
  })

  test('keeps and merges fields named __proto__', async () => {
    const { item } = await create(server, kindCase)
    await server.patch(item, '{"spec":{"__proto__":{"a":1,"b":2},"c":3}}')
    const response = await merge(item, '{"spec":{"__proto__":{"b":null,"x":4},"constructor":{}}}')
    const expected = '{"__proto__":{"a":1,"x":4},"c":3,"constructor":{}}'
    expect(isDeepStrictEqual(response.body.spec, JSON.parse(expected))).toBe(true)
    const bare = await merge(item, '{"spec":{"__proto__":null}}')
    expect(isDeepStrictEqual(bare.body.spec, { c: 3, constructor: {} })).toBe(true)
    expect(Reflect.has({}, 'x')).toBe(false)
  })

  describe('returns 400 VAL-000 and changes nothing', () => {
    test.each(
      proofTurns<[string, unknown, string]>(kindCase, [
        ['an empty object', {}, ''],
        ['an unknown field', { spec: {}, name: null }, 'name'],
        ['a single unknown field', { status: null }, 'status'],
        ['a spec that is null', { spec: null }, 'spec'],
        ['a spec that is a list', { spec: [{}] }, 'spec'],
        ['a spec that is text', { spec: 'x' }, 'spec'],
        ['labels that are a list', { labels: [] }, 'labels'],
        ['a label that is a number', { labels: { a: 1 } }, 'labels.a'],
        ['a label that is an object', { labels: { a: {} } }, 'labels.a'],
        ['an annotation that is a list', { annotations: { 'x/y': [] } }, 'annotations.x/y'],
        ['a NUL', { spec: { a: '\0' } }, 'spec.a'],
        ['a lone surrogate in a key', '{"spec":{"\\ud800":1}}', 'spec.\ufffd'],
        ['a number beyond a double', '{"spec":{"a":1e400}}', 'spec.a'],
        [
          '101 levels',
          `{"spec":${'{"a":'.repeat(99)}{}${'}'.repeat(99)}}`,
          `spec${'.a'.repeat(99)}`,
        ],
      ]),
    )('for %s', async (_what, body, field) => {
      const created = await create(server, kindCase, { spec: SPEC })
      const before = await rowOf(created.body.id)
      const response = await merge(created.item, body)
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(response.body.errors).toMatchObject([{ field }])
      expect(await rowOf(created.body.id)).toEqual(before)
    })

    test('with all violations in one response', async () => {
      const { item } = await create(server, kindCase)
      const text = '{"spec":{"a":1e400},"labels":{"a":1},"annotations":"x","other":1}'
      const fields = (await merge(item, text)).body.errors.map(
        ({ field }: { field: string }) => field,
      )
      expect(fields.toSorted()).toEqual(['annotations', 'labels.a', 'other', 'spec.a'])
    })
  })

  test.each(
    proofTurns(kindCase, [
      ['a missing body', undefined],
      ['a list', '[]'],
      ['null', 'null'],
      ['a broken body', '{"spec":'],
    ]),
  )('rejects %s with 400 VAL-006', async (_what, text) => {
    const { item } = await create(server, kindCase)
    expect(await merge(item, text)).toMatchObject({
      status: 400,
      body: { code: 'HYPERFLEET-VAL-006' },
    })
  })

  test('keeps the changes of all concurrent patches', async () => {
    const { item } = await create(server, kindCase, { spec: {} })
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => merge(item, { spec: { [`m${index}`]: index } })),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    const { body } = await server.get(item)
    expect(body.generation).toBe(11)
    expect(Object.keys(body.spec)).toHaveLength(10)
  })

  test('stores the result of RFC 7396 for any spec', async () => {
    const key = fc.constantFrom('a', 'b', 'c', '__proto__')
    const { object } = fc.letrec((tie) => ({
      object: fc
        .array(fc.tuple(key, tie('value')), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries)),
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, 0, 'x'),
        fc.array(tie('value'), { maxLength: 2 }),
        tie('object'),
      ),
    }))
    const collection = await kindCase.collectionOf(server)
    await fc.assert(
      fc.asyncProperty(object, object, async (spec, patch) => {
        const { item } = await create(server, kindCase, { spec }, collection)
        const [stored, sent] = [JSON.stringify(spec), JSON.stringify(patch)]
        const expected = allSteps(mergePatchInSteps(JSON.parse(stored), JSON.parse(sent)))
        const response = await merge(item, `{"spec":${sent}}`)
        const shown = await server.get(item)
        for (const { body } of [response, shown]) {
          if (!isDeepStrictEqual(body.spec, expected)) expect(body.spec).toEqual(expected)
        }
        const changed = !isDeepStrictEqual(expected, JSON.parse(stored))
        expect(shown.body.generation).toBe(changed ? 2 : 1)
      }),
      { numRuns: 40 },
    )
  })
})
