import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionsOf, create, KIND_CASES, queryDatabase, report } from '../support/fixtures.ts'
import { patchAs } from '../support/patch-types.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const patch = (path: string, body: unknown) => patchAs(server, 'operations', path, body)

async function rowOf(id: string) {
  const [row] = await queryDatabase(server, 'select *, xmin::text from resources where id = $1', [
    id,
  ])
  return row
}

const SPEC = { a: 1, list: [1, 2, 3], deep: { b: null } }

describe.each(KIND_CASES)('a JSON Patch of $kind', (kindCase) => {
  const { flat, requiredAdapters } = kindCase

  test('does its operations one after the other', async () => {
    const { body, item } = await create(server, kindCase, { spec: SPEC, labels: { x: '1' } })
    await sleep(2)
    const answer = await patch(item, [
      { op: 'test', path: '/spec/a', value: 1 },
      { op: 'replace', path: '/spec/a', value: { c: [] } },
      { op: 'add', path: '/spec/a/c/-', value: 'x' },
      { op: 'remove', path: '/spec/list/0' },
      { op: 'move', from: '/spec/list/1', path: '/spec/list/0' },
      { op: 'copy', from: '/spec/list', path: '/spec/deep/list' },
      { op: 'add', path: '/labels/app.kubernetes.io~1name', value: 'y' },
      { op: 'add', path: '/annotations/note', value: 'z' },
    ])
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...body,
      spec: { a: { c: ['x'] }, list: [3, 2], deep: { b: null, list: [3, 2] } },
      labels: { x: '1', 'app.kubernetes.io/name': 'y' },
      annotations: { note: 'z' },
      generation: 2,
      updated_time: expect.any(String),
      status: expect.anything(),
    })
    expect(answer.body.updated_time > body.updated_time).toBe(true)
    expect((await server.get(`${flat}/${body.id}`)).body).toEqual(answer.body)
  })

  test('leaves generation and conditions unless it changes the spec', async () => {
    const { body, item } = await create(server, kindCase, { labels: { x: '1' } })
    const answer = await patch(item, [
      { op: 'move', from: '/labels/x', path: '/annotations/x' },
      { op: 'add', path: '/labels/y', value: '' },
    ])
    expect(answer.body).toEqual({
      ...body,
      labels: { y: '' },
      annotations: { x: '1' },
      updated_time: expect.any(String),
    })
  })

  test('recomputes the conditions with the spec', async () => {
    const { item } = await create(server, kindCase, { spec: SPEC })
    for (const adapter of requiredAdapters) await server.post(`${item}/statuses`, report(adapter))
    const before = conditionsOf((await server.get(item)).body)
    const answer = await patch(item, [{ op: 'remove', path: '/spec/a' }])
    const after = conditionsOf(answer.body)
    expect(after.get('Available')).toEqual(before.get('Available'))
    expect(after.get('Ready')).toMatchObject({ status: 'False', observed_generation: 2 })
  })

  test('takes and gives away whole members', async () => {
    const { item } = await create(server, kindCase, { spec: SPEC, labels: { x: '1' } })
    const answer = await patch(item, [
      { op: 'remove', path: '/labels' },
      { op: 'remove', path: '/annotations' },
      { op: 'remove', path: '/spec' },
      { op: 'add', path: '/spec', value: { n: 1 } },
    ])
    expect(answer).toMatchObject({ status: 200, body: { spec: { n: 1 }, labels: {} } })
    expect(answer.body.spec).toEqual({ n: 1 })
    expect(answer.body.labels).toEqual({})
    const swapped = await patch(item, [
      { op: 'copy', from: '/spec', path: '/spec/copy' },
      { op: 'replace', path: '/annotations', value: { a: 'b' } },
    ])
    expect(swapped.body).toMatchObject({ spec: { n: 1, copy: { n: 1 } }, annotations: { a: 'b' } })
  })

  test.each<[string, object[]]>([
    ['no operation', []],
    ['tests that agree', [{ op: 'test', path: '/spec', value: SPEC }]],
    ['values that are there', [{ op: 'replace', path: '/spec/a', value: 1 }]],
    [
      'what it takes back',
      [
        { op: 'add', path: '/spec/new', value: 1 },
        { op: 'remove', path: '/spec/new' },
      ],
    ],
    ['a move to the same place', [{ op: 'move', from: '/spec/list/1', path: '/spec/list/1' }]],
    ['no more of no annotations', [{ op: 'remove', path: '/annotations' }]],
  ])('writes nothing for %s', async (_what, operations) => {
    const { body, item } = await create(server, kindCase, { spec: SPEC })
    const before = await rowOf(body.id)
    await sleep(2)
    const answer = await patch(item, operations)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body })
    expect(await rowOf(body.id)).toEqual(before)
  })

  describe('answers 409 CNF-003, names the operation and changes nothing', () => {
    test.each<[string, object, string]>([
      ['a test that fails', { op: 'test', path: '/spec/a', value: 2 }, 'value'],
      ['a test of nothing', { op: 'test', path: '/spec/x', value: null }, 'path'],
      ['a removal of nothing', { op: 'remove', path: '/labels/x' }, 'path'],
      ['a replacement of nothing', { op: 'replace', path: '/annotations/x', value: '' }, 'path'],
      ['an addition to nothing', { op: 'add', path: '/spec/x/y', value: 1 }, 'path'],
      ['an addition beyond the end', { op: 'add', path: '/spec/list/4', value: 1 }, 'path'],
      ['an index with a zero before it', { op: 'remove', path: '/spec/list/01' }, 'path'],
      ['an index with a sign', { op: 'add', path: '/spec/list/-1', value: 1 }, 'path'],
      ['an index with an exponent', { op: 'test', path: '/spec/list/1e0', value: 2 }, 'path'],
      ['a length', { op: 'replace', path: '/spec/list/length', value: 0 }, 'path'],
      ['a move of nothing', { op: 'move', from: '/spec/x', path: '/spec/y' }, 'from'],
      ['a copy of nothing', { op: 'copy', from: '/labels/toString', path: '/labels/y' }, 'from'],
      ['a prototype', { op: 'add', path: '/spec/__proto__/x', value: 1 }, 'path'],
    ])('for %s', async (_what, operation, member) => {
      const { body, item } = await create(server, kindCase, { spec: SPEC })
      const before = await rowOf(body.id)
      const answer = await patch(item, [
        { op: 'add', path: '/spec/new', value: 1 },
        { op: 'add', path: '/labels/new', value: '1' },
        operation,
      ])
      expect(answer).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-003' } })
      expect(answer.body.errors).toMatchObject([{ field: `[2].${member}` }])
      expect(answer.body.detail).toContain(`[2].${member}`)
      expect(await rowOf(body.id)).toEqual(before)
      expect(Reflect.has({}, 'x')).toBe(false)
    })
  })

  describe('returns 400 VAL-000 and changes nothing', () => {
    const add = { op: 'add', path: '/spec/new', value: 1 }

    test.each<[string, unknown, string[]]>([
      ['an object', add, ['']],
      ['null', 'null', ['']],
      ['a number', '5', ['']],
      ['text', '"x"', ['']],
      ['an operation that is no object', [add, []], ['[1]']],
      ['an operation that is null', [null], ['[0]']],
      ['an empty operation', [{}], ['[0].op', '[0].path']],
      ['an unknown operation', [add, { op: 'spam', path: '/spec/a' }], ['[1].op']],
      ['an operation in capitals', [{ op: 'Add', path: '/spec/a', value: 1 }], ['[0].op']],
      ['a missing path', [{ op: 'remove' }], ['[0].path']],
      ['a path that is null', [{ op: 'add', path: null, value: 1 }], ['[0].path']],
      ['a path that is a list', [{ op: 'add', path: ['spec'], value: 1 }], ['[0].path']],
      ['a path without a slash', [{ op: 'add', path: 'spec/a', value: 1 }], ['[0].path']],
      ['a path with a wrong escape', [{ op: 'remove', path: '/spec/a~2' }], ['[0].path']],
      ['a path that ends in a tilde', [add, { op: 'remove', path: '/spec/a~' }], ['[1].path']],
      ['the root', [{ op: 'replace', path: '', value: {} }], ['[0].path']],
      ['another member', [{ op: 'replace', path: '/name', value: 'x' }], ['[0].path']],
      ['a member that begins alike', [{ op: 'test', path: '/specs', value: 1 }], ['[0].path']],
      ['a member of no name', [{ op: 'test', path: '/', value: 1 }], ['[0].path']],
      ['the status', [add, { op: 'remove', path: '/status/conditions/0' }], ['[1].path']],
      ['a copy of another member', [{ op: 'copy', from: '/id', path: '/spec/id' }], ['[0].from']],
      ['a copy of the root', [{ op: 'copy', from: '', path: '/spec/x' }], ['[0].from']],
      ['a missing value', [add, { op: 'add', path: '/spec/a' }], ['[1].value']],
      ['a replacement without value', [{ op: 'replace', path: '/spec/a' }], ['[0].value']],
      ['a test without value', [{ op: 'test', path: '/spec/a' }], ['[0].value']],
      ['a move without from', [{ op: 'move', path: '/spec/a' }], ['[0].from']],
      ['a copy from null', [{ op: 'copy', from: null, path: '/spec/a' }], ['[0].from']],
      [
        'a copy from a wrong escape',
        [{ op: 'copy', from: '/spec/~', path: '/spec/a' }],
        ['[0].from'],
      ],
      [
        'a move into itself',
        [{ op: 'move', from: '/spec/deep', path: '/spec/deep/x' }],
        ['[0].path'],
      ],
      ['a NUL in a value', [{ op: 'add', path: '/spec/a', value: { b: '\0' } }], ['[0].value.b']],
      ['a NUL in a path', [{ op: 'add', path: '/spec/a\0', value: 1 }], ['[0].path']],
      ['a lone surrogate', '[{"op":"add","path":"/spec/\\ud800","value":1}]', ['[0].path']],
      ['a number beyond a double', '[{"op":"add","path":"/spec/a","value":1e400}]', ['[0].value']],
      ['no spec in the end', [{ op: 'remove', path: '/spec' }], ['spec']],
      [
        'a spec moved away',
        [{ op: 'move', from: '/spec', path: '/labels/x' }],
        ['spec', 'labels.x'],
      ],
      ['null for a spec', [{ op: 'replace', path: '/spec', value: null }], ['spec']],
      ['a list for a spec', [{ op: 'replace', path: '/spec', value: [] }], ['spec']],
      ['null for labels', [{ op: 'replace', path: '/labels', value: null }], ['labels']],
      ['a number for a label', [{ op: 'add', path: '/labels/x', value: 1 }], ['labels.x']],
      [
        'a list for an annotation',
        [{ op: 'add', path: '/annotations/x', value: [] }],
        ['annotations.x'],
      ],
    ])('for %s', async (_what, operations, fields) => {
      const { body, item } = await create(server, kindCase, { spec: SPEC })
      const before = await rowOf(body.id)
      const answer = await patch(item, operations)
      expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      const found: string[] = answer.body.errors.map(({ field }: { field: string }) => field)
      expect([...new Set(found)].toSorted()).toEqual(fields.toSorted())
      for (const field of fields)
        expect(answer.body.detail).toContain(field === '' ? 'body' : field)
      expect(await rowOf(body.id)).toEqual(before)
    })

    test('in words that say what to write', async () => {
      const { item } = await create(server, kindCase)
      const detailOf = async (operation: object) => (await patch(item, [operation])).body.detail
      expect(await detailOf({ op: 'spam', path: '/spec' })).toBe(
        '[0].op must be one of add, remove, replace, move, copy, test',
      )
      expect(await detailOf({ op: 'add', path: '/spec/a' })).toBe('[0].value is required')
      expect(await detailOf({ op: 'remove', path: '/name' })).toBe(
        "[0].path must lead into /spec, /labels or /annotations, found '/name'",
      )
      expect(await detailOf({ op: 'remove', path: '/spec/~2' })).toBe(
        '[0].path must match format "json-pointer"',
      )
      expect(await detailOf({ op: 'test', path: '/spec/none', value: 1 })).toBe(
        "[0].path '/spec/none' does not exist in the current resource",
      )
    })

    test('with all violations of the operations together', async () => {
      const { item } = await create(server, kindCase)
      const text =
        '[{"op":"x","path":"/name"},{"op":"add","path":"/spec/a"},{"op":"add","path":"/spec/a","value":1e400}]'
      const { body } = await patch(item, text)
      const fields = body.errors.map(({ field }: { field: string }) => field)
      expect(fields.toSorted()).toEqual(['[0].op', '[0].path', '[1].value', '[2].value'])
    })

    test('for more than 1000 operations, and takes 1000', async () => {
      const { item } = await create(server, kindCase, { spec: { n: 0 } })
      const operations = (count: number) =>
        Array.from({ length: count }, (_, index) => ({
          op: 'replace',
          path: '/spec/n',
          value: index,
        }))
      const answer = await patch(item, operations(1001))
      expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(answer.body.detail).toBe('body must have at most 1000 operations, found 1001')
      expect(await patch(item, operations(1000))).toMatchObject({
        status: 200,
        body: { generation: 2, spec: { n: 999 } },
      })
    })

    test('quickly, however many operations are wrong', async () => {
      const { item } = await create(server, kindCase)
      const start = performance.now()
      const answer = await patch(item, `[${'{},'.repeat(340_000)}{}]`)
      expect(answer.status).toBe(400)
      expect(performance.now() - start).toBeLessThan(2000)
    })

    test('for more than 100 levels, of which it takes 100', async () => {
      const { item } = await create(server, kindCase, { spec: {} })
      const nested = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1)
      const replace = (levels: number) =>
        patch(item, `[{"op":"replace","path":"/spec","value":${nested(levels)}}]`)
      expect((await replace(99)).status).toBe(200)
      expect(await replace(100)).toMatchObject({
        status: 400,
        body: { code: 'HYPERFLEET-VAL-000' },
      })
      const deeper = await patch(item, [
        { op: 'move', from: '/spec/a', path: '/labels/a' },
        { op: 'copy', from: '/labels', path: '/spec/b' },
      ])
      expect(deeper).toMatchObject({ status: 400, body: { errors: [{ field: 'spec.b' }] } })
      expect(deeper.body.detail).toContain('over 100 levels by the operation [1]')
    })

    test('for a document that doubles again and again', async () => {
      const { body, item } = await create(server, kindCase, { spec: { list: ['x'.repeat(100)] } })
      const double = { op: 'copy', from: '/spec/list', path: '/spec/list/-' }
      const start = performance.now()
      const answer = await patch(
        item,
        Array.from({ length: 60 }, () => double),
      )
      expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(performance.now() - start).toBeLessThan(2000)
      expect((await server.get(item)).body).toEqual(body)
    })
  })

  test.each([
    ['a missing body', undefined, 400],
    ['a broken body', '[{"op":', 400],
    ['a body over the limit', '['.padEnd(1_048_577), 413],
  ])('answers VAL-006 to %s', async (_what, text, status) => {
    const { item } = await create(server, kindCase)
    expect(await patch(item, text)).toMatchObject({ status, body: { code: 'HYPERFLEET-VAL-006' } })
  })

  test('takes __proto__, constructor and prototype for any other names', async () => {
    const { item } = await create(server, kindCase)
    await server.patch(item, '{"spec":{"__proto__":{"a":1},"b":{"constructor":{"prototype":2}}}}')
    const answer = await patch(
      item,
      `[{"op":"test","path":"/spec/__proto__/a","value":1},
        {"op":"add","path":"/spec/__proto__/polluted","value":{"__proto__":3}},
        {"op":"replace","path":"/spec/b/constructor/prototype","value":{"polluted":4}},
        {"op":"copy","from":"/spec/b","path":"/spec/c"},
        {"op":"add","path":"/labels/__proto__","value":"x"}]`,
    )
    expect(answer.status).toBe(200)
    const spec =
      '{"__proto__":{"a":1,"polluted":{"__proto__":3}},"b":{"constructor":{"prototype":{"polluted":4}}},"c":{"constructor":{"prototype":{"polluted":4}}}}'
    for (const { body } of [answer, await server.get(item)]) {
      expect(isDeepStrictEqual(body.spec, JSON.parse(spec))).toBe(true)
      expect(isDeepStrictEqual(body.labels, JSON.parse('{"__proto__":"x"}'))).toBe(true)
    }
    expect(Reflect.has({}, 'polluted')).toBe(false)
    expect(Reflect.has(Object, 'polluted')).toBe(false)
  })

  test('of those that test the same value, lets one through', async () => {
    const { item } = await create(server, kindCase, { spec: { n: 0 } })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        patch(item, [
          { op: 'test', path: '/spec/n', value: 0 },
          { op: 'replace', path: '/spec/n', value: index + 1 },
        ]),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect((await server.get(item)).body.generation).toBe(2)
  })
})
