import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conditionsOf, create, KIND_CASES, queryDatabase, report } from '../support/fixtures.ts'
import { patchAs } from '../support/patch-types.ts'
import { proofTurns } from '../support/proof-size.ts'
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

  test('applies its operations in order', async () => {
    const { body, item } = await create(server, kindCase, { spec: SPEC, labels: { x: '1' } })
    await sleep(2)
    const response = await patch(item, [
      { op: 'test', path: '/spec/a', value: 1 },
      { op: 'replace', path: '/spec/a', value: { c: [] } },
      { op: 'add', path: '/spec/a/c/-', value: 'x' },
      { op: 'remove', path: '/spec/list/0' },
      { op: 'move', from: '/spec/list/1', path: '/spec/list/0' },
      { op: 'copy', from: '/spec/list', path: '/spec/deep/list' },
      { op: 'add', path: '/labels/app.kubernetes.io~1name', value: 'y' },
      { op: 'add', path: '/annotations/note', value: 'z' },
    ])
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      ...body,
      spec: { a: { c: ['x'] }, list: [3, 2], deep: { b: null, list: [3, 2] } },
      labels: { x: '1', 'app.kubernetes.io/name': 'y' },
      annotations: { note: 'z' },
      generation: 2,
      updated_time: expect.any(String),
      status: expect.anything(),
    })
    expect(response.body.updated_time > body.updated_time).toBe(true)
    expect((await server.get(`${flat}/${body.id}`)).body).toEqual(response.body)
  })

  test('keeps generation and conditions if the spec does not change', async () => {
    const { body, item } = await create(server, kindCase, { labels: { x: '1' } })
    const response = await patch(item, [
      { op: 'move', from: '/labels/x', path: '/annotations/x' },
      { op: 'add', path: '/labels/y', value: '' },
    ])
    expect(response.body).toEqual({
      ...body,
      labels: { y: '' },
      annotations: { x: '1' },
      updated_time: expect.any(String),
    })
  })

  test('sets Ready to False and keeps Available if the spec changes', async () => {
    const { item } = await create(server, kindCase, { spec: SPEC })
    for (const adapter of requiredAdapters) await server.post(`${item}/statuses`, report(adapter))
    const before = conditionsOf((await server.get(item)).body)
    const response = await patch(item, [{ op: 'remove', path: '/spec/a' }])
    const after = conditionsOf(response.body)
    expect(after.get('Available')).toEqual(before.get('Available'))
    expect(after.get('Ready')).toMatchObject({ status: 'False', observed_generation: 2 })
  })

  test('adds, replaces and removes whole fields', async () => {
    const { item } = await create(server, kindCase, { spec: SPEC, labels: { x: '1' } })
    const response = await patch(item, [
      { op: 'remove', path: '/labels' },
      { op: 'remove', path: '/annotations' },
      { op: 'remove', path: '/spec' },
      { op: 'add', path: '/spec', value: { n: 1 } },
    ])
    expect(response).toMatchObject({ status: 200, body: { spec: { n: 1 }, labels: {} } })
    expect(response.body.spec).toEqual({ n: 1 })
    expect(response.body.labels).toEqual({})
    const swapped = await patch(item, [
      { op: 'copy', from: '/spec', path: '/spec/copy' },
      { op: 'replace', path: '/annotations', value: { a: 'b' } },
    ])
    expect(swapped.body).toMatchObject({ spec: { n: 1, copy: { n: 1 } }, annotations: { a: 'b' } })
  })

  test.each(
    proofTurns<[string, object[]]>(kindCase, [
      ['no operation', []],
      ['tests that agree', [{ op: 'test', path: '/spec', value: SPEC }]],
      ['values that are already stored', [{ op: 'replace', path: '/spec/a', value: 1 }]],
      [
        'a change that a later operation reverts',
        [
          { op: 'add', path: '/spec/new', value: 1 },
          { op: 'remove', path: '/spec/new' },
        ],
      ],
      ['a move to the same path', [{ op: 'move', from: '/spec/list/1', path: '/spec/list/1' }]],
      ['the removal of empty annotations', [{ op: 'remove', path: '/annotations' }]],
    ]),
  )('writes nothing for %s', async (_what, operations) => {
    const { body, item } = await create(server, kindCase, { spec: SPEC })
    const before = await rowOf(body.id)
    await sleep(2)
    const response = await patch(item, operations)
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body })
    expect(await rowOf(body.id)).toEqual(before)
  })

  describe('returns 409 CNF-003, names the operation and changes nothing', () => {
    test.each(
      proofTurns<[string, object, string]>(kindCase, [
        ['a test that fails', { op: 'test', path: '/spec/a', value: 2 }, 'value'],
        ['a test of a missing value', { op: 'test', path: '/spec/x', value: null }, 'path'],
        ['a removal of a missing value', { op: 'remove', path: '/labels/x' }, 'path'],
        [
          'a replacement of a missing value',
          { op: 'replace', path: '/annotations/x', value: '' },
          'path',
        ],
        ['an addition below a missing value', { op: 'add', path: '/spec/x/y', value: 1 }, 'path'],
        [
          'an addition beyond the end of a list',
          { op: 'add', path: '/spec/list/4', value: 1 },
          'path',
        ],
        ['an index with a leading zero', { op: 'remove', path: '/spec/list/01' }, 'path'],
        ['an index with a sign', { op: 'add', path: '/spec/list/-1', value: 1 }, 'path'],
        ['an index with an exponent', { op: 'test', path: '/spec/list/1e0', value: 2 }, 'path'],
        ['the length of a list', { op: 'replace', path: '/spec/list/length', value: 0 }, 'path'],
        ['a move of a missing value', { op: 'move', from: '/spec/x', path: '/spec/y' }, 'from'],
        [
          'a copy of an inherited property',
          { op: 'copy', from: '/labels/toString', path: '/labels/y' },
          'from',
        ],
        [
          'an addition to the prototype',
          { op: 'add', path: '/spec/__proto__/x', value: 1 },
          'path',
        ],
      ]),
    )('for %s', async (_what, operation, field) => {
      const { body, item } = await create(server, kindCase, { spec: SPEC })
      const before = await rowOf(body.id)
      const response = await patch(item, [
        { op: 'add', path: '/spec/new', value: 1 },
        { op: 'add', path: '/labels/new', value: '1' },
        operation,
      ])
      expect(response).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-003' } })
      expect(response.body.errors).toMatchObject([{ field: `[2].${field}` }])
      expect(response.body.detail).toContain(`[2].${field}`)
      expect(await rowOf(body.id)).toEqual(before)
      expect(Reflect.has({}, 'x')).toBe(false)
    })
  })

  describe('returns 400 VAL-000 and changes nothing', () => {
    const add = { op: 'add', path: '/spec/new', value: 1 }

    test.each(
      proofTurns<[string, unknown, string[]]>(kindCase, [
        ['an object', add, ['']],
        ['null', 'null', ['']],
        ['a number', '5', ['']],
        ['text', '"x"', ['']],
        ['an operation that is a list', [add, []], ['[1]']],
        ['an operation that is null', [null], ['[0]']],
        ['an empty operation', [{}], ['[0].op', '[0].path']],
        ['an unknown operation', [add, { op: 'spam', path: '/spec/a' }], ['[1].op']],
        ['an operation in capitals', [{ op: 'Add', path: '/spec/a', value: 1 }], ['[0].op']],
        ['a missing path', [{ op: 'remove' }], ['[0].path']],
        ['a path that is null', [{ op: 'add', path: null, value: 1 }], ['[0].path']],
        ['a path that is a list', [{ op: 'add', path: ['spec'], value: 1 }], ['[0].path']],
        ['a path without a slash', [{ op: 'add', path: 'spec/a', value: 1 }], ['[0].path']],
        ['a path with an invalid escape', [{ op: 'remove', path: '/spec/a~2' }], ['[0].path']],
        ['a path that ends in a tilde', [add, { op: 'remove', path: '/spec/a~' }], ['[1].path']],
        ['the root', [{ op: 'replace', path: '', value: {} }], ['[0].path']],
        ['a read-only field', [{ op: 'replace', path: '/name', value: 'x' }], ['[0].path']],
        [
          'an unknown field that starts with spec',
          [{ op: 'test', path: '/specs', value: 1 }],
          ['[0].path'],
        ],
        ['a field with an empty name', [{ op: 'test', path: '/', value: 1 }], ['[0].path']],
        ['the status', [add, { op: 'remove', path: '/status/conditions/0' }], ['[1].path']],
        [
          'a copy of a read-only field',
          [{ op: 'copy', from: '/id', path: '/spec/id' }],
          ['[0].from'],
        ],
        ['a copy of the root', [{ op: 'copy', from: '', path: '/spec/x' }], ['[0].from']],
        ['a missing value', [add, { op: 'add', path: '/spec/a' }], ['[1].value']],
        ['a replacement without value', [{ op: 'replace', path: '/spec/a' }], ['[0].value']],
        ['a test without value', [{ op: 'test', path: '/spec/a' }], ['[0].value']],
        ['a move without from', [{ op: 'move', path: '/spec/a' }], ['[0].from']],
        ['a copy from null', [{ op: 'copy', from: null, path: '/spec/a' }], ['[0].from']],
        [
          'a copy from a path with an invalid escape',
          [{ op: 'copy', from: '/spec/~', path: '/spec/a' }],
          ['[0].from'],
        ],
        [
          'a move of a value into itself',
          [{ op: 'move', from: '/spec/deep', path: '/spec/deep/x' }],
          ['[0].path'],
        ],
        ['a NUL in a value', [{ op: 'add', path: '/spec/a', value: { b: '\0' } }], ['[0].value.b']],
        ['a NUL in a path', [{ op: 'add', path: '/spec/a\0', value: 1 }], ['[0].path']],
        ['a lone surrogate', '[{"op":"add","path":"/spec/\\ud800","value":1}]', ['[0].path']],
        [
          'a number beyond a double',
          '[{"op":"add","path":"/spec/a","value":1e400}]',
          ['[0].value'],
        ],
        ['a result without a spec', [{ op: 'remove', path: '/spec' }], ['spec']],
        [
          'a move of the spec',
          [{ op: 'move', from: '/spec', path: '/labels/x' }],
          ['spec', 'labels.x'],
        ],
        ['a spec that is null', [{ op: 'replace', path: '/spec', value: null }], ['spec']],
        ['a spec that is a list', [{ op: 'replace', path: '/spec', value: [] }], ['spec']],
        ['labels that are null', [{ op: 'replace', path: '/labels', value: null }], ['labels']],
        ['a label that is a number', [{ op: 'add', path: '/labels/x', value: 1 }], ['labels.x']],
        [
          'an annotation that is a list',
          [{ op: 'add', path: '/annotations/x', value: [] }],
          ['annotations.x'],
        ],
      ]),
    )('for %s', async (_what, operations, fields) => {
      const { body, item } = await create(server, kindCase, { spec: SPEC })
      const before = await rowOf(body.id)
      const response = await patch(item, operations)
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      const found: string[] = response.body.errors.map(({ field }: { field: string }) => field)
      expect([...new Set(found)].toSorted()).toEqual(fields.toSorted())
      for (const field of fields)
        expect(response.body.detail).toContain(field === '' ? 'body' : field)
      expect(await rowOf(body.id)).toEqual(before)
    })

    test('with the reason and the valid values', async () => {
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

    test('with the violations of all operations in one response', async () => {
      const { item } = await create(server, kindCase)
      const text =
        '[{"op":"x","path":"/name"},{"op":"add","path":"/spec/a"},{"op":"add","path":"/spec/a","value":1e400}]'
      const { body } = await patch(item, text)
      const fields = body.errors.map(({ field }: { field: string }) => field)
      expect(fields.toSorted()).toEqual(['[0].op', '[0].path', '[1].value', '[2].value'])
    })

    test('for more than 1000 operations', async () => {
      const { item } = await create(server, kindCase, { spec: { n: 0 } })
      const operations = (count: number) =>
        Array.from({ length: count }, (_, index) => ({
          op: 'replace',
          path: '/spec/n',
          value: index,
        }))
      const response = await patch(item, operations(1001))
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(response.body.detail).toBe('body must have at most 1000 operations, found 1001')
      expect(await patch(item, operations(1000))).toMatchObject({
        status: 200,
        body: { generation: 2, spec: { n: 999 } },
      })
    })

    test('with a single error for more than 1000 invalid operations', async () => {
      const { item } = await create(server, kindCase)
      const { status, body } = await patch(item, `[${'{},'.repeat(340_000)}{}]`)
      expect(status).toBe(400)
      expect(body.detail).toBe('body must have at most 1000 operations, found 340001')
      expect(body.errors).toHaveLength(1)
    })

    test('for more than 100 levels', async () => {
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

    test('for a document that doubles with every operation', async () => {
      const { body, item } = await create(server, kindCase, { spec: { list: ['x'.repeat(100)] } })
      const double = { op: 'copy', from: '/spec/list', path: '/spec/list/-' }
      // The result of all 60 operations would have 2^60 values.
      const operations = Array.from({ length: 60 }, () => double)
      const response = await patch(item, operations)
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'HYPERFLEET-VAL-000', errors: [{ constraint: 'max-size' }] },
      })
      expect((await server.get(item)).body).toEqual(body)
    })
  })

  test.each(
    proofTurns(kindCase, [
      ['a missing body', undefined, 400],
      ['a broken body', '[{"op":', 400],
      ['a body over the limit', '['.padEnd(1_048_577), 413],
    ]),
  )('rejects %s with VAL-006', async (_what, text, status) => {
    const { item } = await create(server, kindCase)
    expect(await patch(item, text)).toMatchObject({ status, body: { code: 'HYPERFLEET-VAL-006' } })
  })

  test('treats __proto__, constructor and prototype as ordinary names', async () => {
    const { item } = await create(server, kindCase)
    await server.patch(item, '{"spec":{"__proto__":{"a":1},"b":{"constructor":{"prototype":2}}}}')
    const response = await patch(
      item,
      `[{"op":"test","path":"/spec/__proto__/a","value":1},
        {"op":"add","path":"/spec/__proto__/polluted","value":{"__proto__":3}},
        {"op":"replace","path":"/spec/b/constructor/prototype","value":{"polluted":4}},
        {"op":"copy","from":"/spec/b","path":"/spec/c"},
        {"op":"add","path":"/labels/__proto__","value":"x"}]`,
    )
    expect(response.status).toBe(200)
    const spec =
      '{"__proto__":{"a":1,"polluted":{"__proto__":3}},"b":{"constructor":{"prototype":{"polluted":4}}},"c":{"constructor":{"prototype":{"polluted":4}}}}'
    for (const { body } of [response, await server.get(item)]) {
      expect(isDeepStrictEqual(body.spec, JSON.parse(spec))).toBe(true)
      expect(isDeepStrictEqual(body.labels, JSON.parse('{"__proto__":"x"}'))).toBe(true)
    }
    expect(Reflect.has({}, 'polluted')).toBe(false)
    expect(Reflect.has(Object, 'polluted')).toBe(false)
  })

  test('succeeds once if concurrent patches test the same value', async () => {
    const { item } = await create(server, kindCase, { spec: { n: 0 } })
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        patch(item, [
          { op: 'test', path: '/spec/n', value: 0 },
          { op: 'replace', path: '/spec/n', value: index + 1 },
        ]),
      ),
    )
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect((await server.get(item)).body.generation).toBe(2)
  })
})
