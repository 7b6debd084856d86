import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { portOf, sendLines } from '../browsers/raw-request.ts'
import { conditionsOf, create, KIND_CASES, queryDatabase, report } from '../support/fixtures.ts'
import { proofTurns } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function rowOf(id: string) {
  const [row] = await queryDatabase(server, 'select *, xmin::text from resources where id = $1', [
    id,
  ])
  return row
}

describe.each(KIND_CASES)('PATCH of a $kind', (kindCase) => {
  const { kind, flat, requiredAdapters } = kindCase

  test('replaces the whole spec and increments the generation', async () => {
    const { body, item } = await create(server, kindCase, {
      spec: { a: 1, b: { c: 2 } },
      labels: { x: 'y' },
    })
    await sleep(2)
    const response = await server.patch(item, { spec: { b: { d: 3 } } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      ...body,
      spec: { b: { d: 3 } },
      generation: 2,
      updated_time: expect.any(String),
      status: expect.anything(),
    })
    expect(response.body.updated_time > body.updated_time).toBe(true)
    expect((await server.get(`${flat}/${body.id}`)).body).toEqual(response.body)
  })

  test('replaces all labels and keeps generation and conditions', async () => {
    const { body, item } = await create(server, kindCase, { labels: { a: '1', b: '2' } })
    await sleep(2)
    const response = await server.patch(item, { labels: { b: '3' } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ ...body, labels: { b: '3' }, updated_time: expect.any(String) })
    expect(response.body.updated_time > body.updated_time).toBe(true)
    expect((await server.patch(item, { labels: {} })).body.labels).toEqual({})
  })

  test('replaces all annotations and keeps generation and conditions', async () => {
    const { body, item } = await create(server, kindCase, { annotations: { a: '1', b: '2' } })
    expect(body.annotations).toEqual({ a: '1', b: '2' })
    const before = await rowOf(body.id)
    await sleep(2)
    const response = await server.patch(item, { annotations: { b: '3' } })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      ...body,
      annotations: { b: '3' },
      updated_time: expect.any(String),
    })
    expect(response.body.updated_time > body.updated_time).toBe(true)
    expect(Number((await rowOf(body.id))?.['version'])).toBe(Number(before?.['version']) + 1)
    const without = await server.patch(item, { annotations: {} })
    expect(without.body).not.toHaveProperty('annotations')
    expect((await server.get(item)).body).toEqual(without.body)
  })

  test('replaces spec and labels together, and searches find the new labels', async () => {
    const { body, item } = await create(server, kindCase, { labels: { patched: 'before' } })
    const response = await server.patch(item, { spec: {}, labels: { patched: 'after' } })
    expect(response.body).toMatchObject({ generation: 2, spec: {}, labels: { patched: 'after' } })
    const found = async (value: string) =>
      (await server.get(`${flat}?search=labels.patched='${value}' and id='${body.id}'`)).body.total
    expect([await found('before'), await found('after')]).toEqual([0, 1])
  })

  test('treats a body without a Content-Type as application/json', async () => {
    const { item } = await create(server, kindCase, { spec: { a: 1 } })
    const { status, text } = await sendLines(portOf(server.origin), {
      method: 'PATCH',
      target: BASE_PATH + item,
      lines: ['Host: localhost'],
      body: '{"spec":{"b":null}}',
    })
    expect(status).toBe(200)
    expect(JSON.parse(text).spec).toEqual({ b: null })
  })

  test('works on the flat path too', async () => {
    const { body } = await create(server, kindCase)
    expect(await server.patch(`${flat}/${body.id}`, { spec: {} })).toMatchObject({
      status: 200,
      body: { generation: 2 },
    })
  })

  test.each(
    proofTurns(kindCase, [
      ['an equal spec', { spec: { a: 1, b: [{ c: null }] } }],
      ['a spec with its keys in another order', '{"spec":{"b":[{"c":null}],"a":1}}'],
      ['a spec with numbers in another format', '{"spec":{"a":1.0e0,"b":[{"c":null}]}}'],
      ['equal labels', { labels: { y: '2', x: '1' } }],
      ['equal annotations', { annotations: { n: '' } }],
      [
        'equal spec, labels and annotations',
        { spec: { a: 1, b: [{ c: null }] }, labels: { x: '1', y: '2' }, annotations: { n: '' } },
      ],
    ]),
  )('writes nothing for %s', async (_what, patch) => {
    const { body, item } = await create(server, kindCase, {
      spec: { a: 1, b: [{ c: null }] },
      labels: { x: '1', y: '2' },
      annotations: { n: '' },
    })
    const before = await rowOf(body.id)
    await sleep(2)
    const response = await server.patch(item, patch)
    expect(response.status).toBe(200)
    expect(response.body).toEqual(body)
    expect(await rowOf(body.id)).toEqual(before)
  })

  test.each(
    proofTurns(kindCase, [
      ['an array in another order', { a: [1, 2] }, { a: [2, 1] }],
      ['null for a missing field', { a: 1 }, { a: 1, b: null }],
      ['a string for a number', { a: 1 }, { a: '1' }],
      ['an object for an array', { a: [] }, { a: {} }],
    ]),
  )('treats %s as a change', async (_what, spec, changed) => {
    const { item } = await create(server, kindCase, { spec })
    expect((await server.patch(item, { spec: changed })).body).toMatchObject({
      generation: 2,
      spec: changed,
    })
  })

  test.each(
    proofTurns(kindCase, [
      '{"$type":"Json","value":"5"}',
      '{"a":{"$type":"DateTime","value":"2026-01-01T00:00:00Z"}}',
      '{"set":{"a":1}}',
      '{"prisma__type":"param","prisma__value":{"name":"a","type":"Json"}}',
      '{"_ref":"name","_container":"Resource"}',
      '{"toJSON":1,"then":2}',
    ]),
  )('stores the spec %s, although libraries give its keys a meaning', async (spec) => {
    const { item } = await create(server, kindCase)
    await server.patch(item, `{"spec":${spec}}`)
    expect((await server.get(item)).body.spec).toEqual(JSON.parse(spec))
  })

  test('returns a spec with __proto__ unchanged', async () => {
    const { item } = await create(server, kindCase)
    const spec = '{"__proto__":{"a":1},"b":{"__proto__":2},"n":9007199254740992}'
    const { body } = await server.patch(item, `{"spec":${spec}}`)
    expect(isDeepStrictEqual(body.spec, JSON.parse(spec))).toBe(true)
    expect((await server.patch(item, `{"spec":${spec}}`)).body.generation).toBe(2)
  })

  describe('after a change of the spec', () => {
    test('Ready is False at the new generation and Available is unchanged', async () => {
      const { body, item } = await create(server, kindCase)
      for (const adapter of requiredAdapters) await server.post(`${item}/statuses`, report(adapter))
      const ready = conditionsOf((await server.get(item)).body)
      const before = await rowOf(body.id)
      const response = await server.patch(item, { spec: { size: 2 } })
      const after = conditionsOf(response.body)
      expect(after.get('Available')).toEqual(ready.get('Available'))
      expect(after.get('Available')).toMatchObject({ status: 'True', observed_generation: 1 })
      expect(after.get('Ready')).toMatchObject({
        status: 'False',
        reason: 'ResourceNotReady',
        observed_generation: 2,
        last_transition_time: response.body.updated_time,
      })
      for (const adapter of requiredAdapters)
        expect(after.get('Ready')?.['message']).toContain(adapter)
      const row = await rowOf(body.id)
      expect(Number(row?.['version'])).toBe(Number(before?.['version']) + 1)
      expect(row?.['cond']).toMatchObject({ Ready: 'False', Available: 'True' })
    })

    test('only the generation of Ready and Reconciled changes before the first report', async () => {
      const { body, item } = await create(server, kindCase)
      const { status } = (await server.patch(item, { spec: {} })).body
      const [available, ready, reconciled, lastKnown] = body.status.conditions
      const current = { observed_generation: 2 }
      const expected = [
        available,
        { ...ready, ...current },
        { ...reconciled, ...current },
        lastKnown,
      ]
      expect(status.conditions).toEqual(expected)
    })
  })

  describe('returns 400 VAL-000', () => {
    test.each(
      proofTurns<[string, object, string]>(kindCase, [
        ['an empty object', {}, ''],
        ['an unknown field', { spec: {}, name: 'other' }, 'name'],
        ['a single unknown field', { status: {} }, 'status'],
        ['a spec that is null', { spec: null }, 'spec'],
        ['a spec that is an array', { spec: [] }, 'spec'],
        ['labels that are null', { labels: null }, 'labels'],
        ['a label that is a number', { labels: { a: 1 } }, 'labels.a'],
        ['annotations that are a list', { annotations: [] }, 'annotations'],
        ['an annotation that is null', { annotations: { a: null } }, 'annotations.a'],
        ['a NUL', { spec: { a: '\0' } }, 'spec.a'],
      ]),
    )('for %s', async (_what, patch, field) => {
      const { body, item } = await create(server, kindCase)
      const before = await rowOf(body.id)
      const response = await server.patch(item, patch)
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(response.body.errors).toMatchObject([{ field }])
      expect(await rowOf(body.id)).toEqual(before)
    })

    test('for numbers beyond the range of doubles, with all violations in one response', async () => {
      const { item } = await create(server, kindCase)
      const response = await server.patch(
        item,
        '{"spec":{"a":1e400},"labels":{"a":1},"other":1,"__proto__":1}',
      )
      expect(response.status).toBe(400)
      expect(response.body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
        '__proto__',
        'labels.a',
        'other',
        'spec.a',
      ])
    })
  })

  test.each(
    proofTurns(kindCase, [
      ['a missing body', undefined],
      ['an empty body', ''],
      ['an array', '[]'],
      ['a broken body', '{"spec":'],
    ]),
  )('rejects %s with 400 VAL-006', async (_what, text) => {
    const { item } = await create(server, kindCase)
    const headers = text === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await server.request('PATCH', item, text, headers)
    expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-006' } })
  })

  test('rejects other media types with 415 and long bodies with 413 VAL-006', async () => {
    const { item } = await create(server, kindCase)
    for (const path of [item, `${item}/statuses`]) {
      const method = path === item ? 'PATCH' : 'POST'
      const text = await server.request(method, path, '{}', { 'Content-Type': 'text/plain' })
      expect(text).toMatchObject({ status: 415, body: { code: 'HYPERFLEET-VAL-006' } })
      expect(text.headers.get('accept-patch')).toBe(
        method === 'PATCH'
          ? 'application/merge-patch+json, application/json, application/json-patch+json'
          : null,
      )
      const json = { 'Content-Type': 'application/json' }
      const long = await server.request(method, path, '{}'.padEnd(1_048_577), json)
      expect(long).toMatchObject({ status: 413, body: { code: 'HYPERFLEET-VAL-006' } })
    }
  })

  test('returns 404 NTF-001 for an unknown resource, after validating the body', async () => {
    const response = await server.patch(`${flat}/nowhere`, { spec: {} })
    expect(response).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
    expect(response.body.detail).toBe(`${kind} with id='nowhere' not found`)
    expect((await server.patch(`${flat}/nowhere`, {})).status).toBe(400)
  })

  test('increments the generation for each concurrent change', async () => {
    const { item } = await create(server, kindCase)
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => server.patch(item, { spec: { index } })),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect((await server.get(item)).body.generation).toBe(11)
  })
})

describe('with LABELS_BUMP_GENERATION', () => {
  let bumping: TestServer

  beforeAll(async () => {
    bumping = await startTestServer({ env: { LABELS_BUMP_GENERATION: 'true' } })
  })
  afterAll(() => bumping[Symbol.asyncDispose]())

  test.each(KIND_CASES)(
    'a change of labels increments the generation of $kind',
    async (kindCase) => {
      const { item } = await create(bumping, kindCase)
      for (const adapter of kindCase.requiredAdapters) {
        await bumping.post(`${item}/statuses`, report(adapter))
      }
      const { body } = await bumping.patch(item, { labels: { a: 'b' } })
      expect(body.generation).toBe(2)
      expect(conditionsOf(body).get('Ready')).toMatchObject({
        status: 'False',
        observed_generation: 2,
      })
      expect((await bumping.patch(item, { labels: { a: 'b' } })).body).toEqual(body)
      const annotated = await bumping.patch(item, { annotations: { a: 'b' } })
      expect(annotated.body).toMatchObject({ generation: 2, annotations: { a: 'b' } })
      const both = await bumping.patch(item, { labels: {}, spec: { size: 9 } })
      expect(both.body.generation).toBe(3)
    },
  )
})
