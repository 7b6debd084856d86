import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create, creation, KIND_CASES, queryDatabase } from '../support/fixtures.ts'
import { openapiFiles } from '../documentation/openapi-file.ts'
import { PATCH_TYPES, patchAs } from '../support/patch-types.ts'
import { proofTurns } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const openapiFileWith = openapiFiles()

const LIMIT = 1_048_576
const FORMATS = ['json', 'merge', 'operations'] as const
type Format = (typeof FORMATS)[number]

/** A spec schema with the rules that validators are known to implement differently. */
const SPEC_SCHEMA = {
  type: 'object',
  required: ['image'],
  properties: {
    image: { type: 'string', minLength: 1, maxLength: 20, pattern: '^[a-z]+$' },
    id: { type: 'string', readOnly: true },
    replicas: { type: 'integer', minimum: 0, format: 'int32' },
    zone: { type: 'string', enum: ['a', 'b'] },
    day: { type: 'string', format: 'date' },
    time: { type: 'string', format: 'date-time' },
    mail: { type: 'string', format: 'email' },
    odd: { type: 'string', format: 'no-such-format' },
    bytes: { type: 'string', format: 'byte' },
    ratio: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.25 },
    tier: { type: 'string', default: 'small' },
    size: { oneOf: [{ type: 'integer' }, { type: 'string', maxLength: 2 }] },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 2 },
    nested: {
      type: 'object',
      required: ['a/b'],
      additionalProperties: false,
      properties: { 'a/b': { type: 'string' }, n: { type: 'integer', default: 7 } },
    },
    nothing: { type: 'string', nullable: true },
  },
}

let server: TestServer

/** Starts a server that uses the spec schema for this kind only. */
async function startWithSchema(kind: string): Promise<TestServer> {
  const file = await openapiFileWith({ [`${kind}Spec`]: SPEC_SCHEMA })
  return startTestServer({ env: { OPENAPI_SCHEMA_PATH: file } })
}

/** A patch in this format that changes a spec with only an image to `spec`. */
function bodyOf(format: Format, spec: object): object {
  if (format === 'operations') return [{ op: 'replace', path: '/spec', value: spec }]
  return format === 'json' || 'image' in spec ? { spec } : { spec: { image: null, ...spec } }
}

const patch = (format: Format, item: string, body: unknown) => patchAs(server, format, item, body)
const IMAGE = { spec: { image: 'x' } }

const generationOf = async (item: string) => (await server.get(item)).body.generation

describe.each(KIND_CASES)('the result of patching a $kind', (kindCase) => {
  const { kind } = kindCase
  let collection: string

  beforeAll(async () => {
    server = await startWithSchema(kind)
    collection = await kindCase.collectionOf(server)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const newItem = () => create(server, kindCase, IMAGE, collection)

  describe.each(
    proofTurns<object>(kindCase, [
      { image: '' },
      {},
      { image: null },
      { image: 5 },
      { image: 'A' },
      { image: 'abcdefghijklmnopqrstu' },
      { image: 'a\n' },
      { image: 'x', id: 'mine' },
      { image: 'x', replicas: -1 },
      { image: 'x', replicas: 1.5 },
      { image: 'x', replicas: 2147483648 },
      { image: 'x', replicas: '3' },
      { image: 'x', zone: 'c' },
      { image: 'x', day: '2026-02-30' },
      { image: 'x', time: '2026-01-01T25:00:00Z' },
      { image: 'x', time: 5, day: [] },
      { image: 'x', mail: 'nobody' },
      { image: 'x', bytes: 'a' },
      { image: 'x', ratio: 0 },
      { image: 'x', ratio: 0.3 },
      { image: 'x', size: 'abc' },
      { image: 'x', tags: ['a', 'a', 'a'] },
      { image: 'x', tags: ['a', 5] },
      { image: 'x', nested: {} },
      { image: 'x', nested: { 'a/b': 'x', c: 1, 'd/e': 2 } },
      { image: 'x', nested: 'x', replicas: 'y', zone: 5 },
      { image: 'x', tier: 5 },
    ]),
  )('with the invalid spec %j', (spec) => {
    test('is rejected in every format with the errors of creation', async () => {
      const created = await server.post(collection, creation(kind, { spec }))
      expect(created).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      const { item } = await newItem()
      for (const format of FORMATS) {
        const body = bodyOf(format, spec)
        const response = await patch(format, item, body)
        const { errors, detail } = response.body
        // A merge patch removes fields that are null.
        if (format === 'merge' && 'image' in spec && spec.image === null) {
          expect(errors).toMatchObject([{ field: 'spec.image', message: 'spec.image is required' }])
          continue
        }
        const expected = { format, status: 400, errors: created.body.errors }
        expect({ format, status: response.status, errors }).toEqual(expected)
        expect(detail).toBe(created.body.detail)
      }
      expect(await generationOf(item)).toBe(1)
    })
  })

  test.each(
    proofTurns<object>(kindCase, [
      { image: 'y', replicas: 2147483647, zone: 'a', day: '2024-02-29', mail: 'a@b.de' },
      { image: 'y', time: '2026-01-01T00:00:00.123456Z', odd: 'x', bytes: 'YQ==', ratio: 0.25 },
      { image: 'y', size: 'ab', tags: ['a', 'b'], nothing: null, other: { any: [1] } },
      { image: 'y', nested: { 'a/b': 'x' }, tier: 'large' },
    ]),
  )('is accepted in every format if creation accepts it: %j', async (spec) => {
    const created = await server.post(collection, creation(kind, { spec }))
    expect(created.status).toBe(201)
    for (const format of FORMATS) {
      const { item } = await newItem()
      // A merge patch cannot set null. The schema treats null and missing fields alike.
      const response = await patch(format, item, bodyOf(format, spec))
      const { nothing: _nothing, ...expected } = { nothing: null, ...created.body.spec }
      expect({ format, status: response.status }).toEqual({ format, status: 200 })
      expect(response.body.spec).toMatchObject(expected)
      expect((await server.get(item)).body).toEqual(response.body)
    }
  })

  test('has the defaults of its schema', async () => {
    for (const format of FORMATS) {
      const { item } = await create(
        server,
        kindCase,
        { spec: { image: 'x', tier: 'large', nested: { 'a/b': 'c', n: 1 } } },
        collection,
      )
      const spec = { image: 'x', nested: { 'a/b': 'd' } }
      const bodies = {
        json: { spec },
        merge: { spec: { tier: null, nested: { 'a/b': 'd', n: null } } },
        operations: [{ op: 'replace', path: '/spec', value: spec }],
      }
      const { body } = await patch(format, item, bodies[format])
      expect(body.spec).toEqual({ image: 'x', tier: 'small', nested: { 'a/b': 'd', n: 7 } })
      // Removing only a default value changes nothing.
      const again = {
        json: bodies.json,
        merge: { spec: { tier: null } },
        operations: [{ op: 'remove', path: '/spec/tier' }],
      }
      expect((await patch(format, item, again[format])).body).toEqual(body)
    }
  })

  test('is validated only if the patch changes the spec', async () => {
    const { item, body } = await newItem()
    await queryDatabase(server, 'update resources set spec = $2 where id = $1', [
      body.id,
      { image: 'x', id: 'given' },
    ])
    const labels = {
      json: { labels: { json: 'x' } },
      merge: { labels: { merge: 'x' } },
      operations: [{ op: 'add', path: '/labels/operations', value: 'x' }],
    }
    for (const format of FORMATS) {
      const response = await patch(format, item, labels[format])
      expect(response).toMatchObject({
        status: 200,
        body: { generation: 1, spec: { id: 'given' } },
      })
    }
    const merged = await patch('merge', item, { spec: { zone: 'a' } })
    expect(merged.body).toMatchObject({ status: 400, detail: 'spec.id is read-only' })
    const added = await patch('operations', item, [{ op: 'add', path: '/spec/zone', value: 'a' }])
    expect(added.body.errors).toEqual(merged.body.errors)
    const repaired = await patch('merge', item, { spec: { zone: 'a', id: null } })
    expect(repaired.body.spec).toEqual({ image: 'x', zone: 'a', tier: 'small' })
  })

  test.each(proofTurns(kindCase, FORMATS))(
    'may exceed the size limit of a body only if the patch makes it smaller: %s',
    async (format) => {
      const half = 'x'.repeat(LIMIT / 2)
      const more: Record<Format, unknown> = {
        json: { annotations: { big: half } },
        merge: { spec: { more: half } },
        operations: [{ op: 'copy', from: '/spec/big', path: '/spec/more' }],
      }
      const less: Record<Format, unknown> = {
        json: { spec: { image: 'y' } },
        merge: { spec: { big: null } },
        operations: [{ op: 'remove', path: '/spec/big' }],
      }
      const spec = { image: 'x', big: half }
      const { item, body } = await create(server, kindCase, { spec }, collection)
      const response = await patch(format, item, more[format])
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(response.body.errors).toMatchObject([{ field: '', constraint: 'max-size' }])
      expect(response.body.detail).toContain(`at most ${LIMIT} bytes`)
      expect((await server.get(item)).body).toEqual(body)
      await queryDatabase(
        server,
        `update resources set labels = jsonb_build_object('big', $2::text) where id = $1`,
        [body.id, 'x'.repeat(LIMIT)],
      )
      expect((await patch(format, item, more[format])).status).toBe(400)
      expect((await patch(format, item, less[format])).status).toBe(200)
    },
  )

  test('may be as large as a request body', async () => {
    const { item } = await newItem()
    const rest = JSON.stringify({ spec: { image: 'x', tier: 'small', big: '' } }).length
    const filled = (size: number) => ({ spec: { big: 'x'.repeat(size - rest) } })
    expect((await patch('merge', item, filled(LIMIT + 1))).status).toBe(400)
    expect((await patch('merge', item, filled(LIMIT))).status).toBe(200)
  })
})

describe.each(KIND_CASES)('a PATCH of a $kind', (kindCase) => {
  const { kind, flat } = kindCase
  const VALID: Record<Format, unknown> = {
    json: { spec: { image: 'y' } },
    merge: { spec: { image: 'y' } },
    operations: [{ op: 'replace', path: '/spec/image', value: 'y' }],
  }
  const INVALID: Record<Format, unknown> = { json: {}, merge: {}, operations: [{ op: 'add' }] }

  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  describe.each(FORMATS)('as %s', (format) => {
    const send = (item: string, body: unknown, type: string = PATCH_TYPES[format]) =>
      server.request('PATCH', item, body, { 'Content-Type': type })

    test('is checked in order: body, media type, length, syntax, fields, resource, state', async () => {
      const nowhere = `${flat}/nowhere`
      const long = '{'.padEnd(LIMIT + 1)
      expect((await send(nowhere, '', 'text/plain')).body.detail).toBe('Request body is required')
      expect((await send(nowhere, long, 'text/plain')).status).toBe(415)
      expect((await send(nowhere, long)).status).toBe(413)
      const broken = await send(nowhere, '{"spec"')
      expect(broken).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-006' } })
      const wrong = await send(nowhere, INVALID[format])
      expect(wrong).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      const missing = await send(nowhere, VALID[format])
      expect(missing).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
      expect(missing.body.detail).toBe(`${kind} with id='nowhere' not found`)
    })

    test('accepts its media type in capitals and with a charset', async () => {
      const { item } = await create(server, kindCase, IMAGE)
      const response = await send(
        item,
        VALID[format],
        `${PATCH_TYPES[format].toUpperCase()}; charset=UTF-8`,
      )
      expect(response).toMatchObject({ status: 200, body: { generation: 2, spec: { image: 'y' } } })
      expect(
        (await send(item, VALID[format], `${PATCH_TYPES[format]}; charset=latin1`)).status,
      ).toBe(415)
    })

    test('returns 409 CNF-003 for every change of a resource that is being deleted', async () => {
      const { item, body } = await create(server, kindCase, IMAGE)
      await queryDatabase(
        server,
        `update resources set deleted_time = now(), deleted_by = 'ada' where id = $1`,
        [body.id],
      )
      const inapplicable = { ...VALID, operations: [{ op: 'remove', path: '/spec/nothing' }] }
      for (const change of [VALID, inapplicable]) {
        const response = await send(item, change[format])
        expect(response).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-003' } })
        expect(response.body.detail).toContain('is being deleted')
      }
      expect((await send(item, INVALID[format])).status).toBe(400)
    })
  })

  test.each(
    proofTurns(kindCase, [
      'text/plain',
      'application/xml',
      'application/strategic-merge-patch+json',
      'application/*+json',
      'application/merge-patch',
    ]),
  )('rejects %s with 415 VAL-006 and lists the accepted media types', async (type) => {
    const { item } = await create(server, kindCase, IMAGE)
    const response = await server.request('PATCH', item, '{"spec":{}}', { 'Content-Type': type })
    expect(response).toMatchObject({ status: 415, body: { code: 'HYPERFLEET-VAL-006' } })
    expect(response.headers.get('accept-patch')).toBe(
      'application/merge-patch+json, application/json, application/json-patch+json',
    )
    expect(response.body.detail).toContain('application/json-patch+json')
  })

  test('has all three media types in the OpenAPI document', async () => {
    const { paths } = (await server.get('/openapi/flotilla.json')).body
    const routes = Object.keys(paths).filter((route) => paths[route].patch)
    expect(routes).toContain('/webhooks/{webhook_id}')
    expect(routes.length).toBeGreaterThanOrEqual(KIND_CASES.length)
    for (const route of routes) {
      const { content } = paths[route].patch.requestBody
      expect(Object.keys(content).toSorted()).toEqual(Object.values(PATCH_TYPES).toSorted())
    }
  })
})
