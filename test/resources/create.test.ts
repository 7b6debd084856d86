import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGGREGATED_TYPES } from '../../src/store/model/condition.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { portOf, sendLines } from '../browsers/raw-request.ts'
import { ANY_CHARACTER } from '../support/any-character.ts'
import { create, creation, KIND_CASES, newName } from '../support/fixtures.ts'
import { proofTurns } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const LIMIT = 1_048_576
const NAME_RULE = 'must start and end with a lowercase letter or digit'

const nodePool = KIND_CASES[1] ?? expect.unreachable()

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** Objects nested so that a body with this `spec` has the given number of levels. */
function nested(levels: number): string {
  const depth = levels - 1
  return `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`
}

describe.each(KIND_CASES)('create $kind', (kindCase) => {
  const { kind, flat, longestName } = kindCase
  let collection: string

  beforeAll(async () => {
    collection = await kindCase.collectionOf(server)
  })

  const post = (body: unknown, headers?: Record<string, string>) =>
    server.request('POST', collection, body, headers)
  /** A body with this text as its spec. */
  const withSpec = (spec: string) => `{"kind":"${kind}","name":"${newName()}","spec":${spec}}`

  describe('returns 201', () => {
    test('with the complete resource', async () => {
      const before = Date.now()
      const body = creation(kind, { labels: { env: 'dev' } })
      const response = await post(body)
      expect(response.status).toBe(201)
      const { id, created_time: created } = response.body
      expect(id).toMatch(/^2[0-9a-z]{26}$/)
      expect(created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\d{3})?Z$/)
      expect(Date.parse(created)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(created)).toBeLessThanOrEqual(Date.now())
      const initial = {
        status: 'False',
        reason: 'AwaitingAdapters',
        message: 'Waiting for adapters to report status',
        observed_generation: 0,
        created_time: created,
        last_updated_time: created,
        last_transition_time: created,
      }
      const [, parent] = /^\/clusters\/(.+)\/nodepools$/.exec(collection) ?? []
      expect(response.body).toEqual({
        ...body,
        id,
        href: `/api/hyperfleet/v1${flat}/${id}`,
        generation: 1,
        created_time: created,
        updated_time: created,
        created_by: 'system@hyperfleet.local',
        updated_by: 'system@hyperfleet.local',
        ...(parent !== undefined && {
          owner_references: {
            kind: 'Cluster',
            id: parent,
            href: `/api/hyperfleet/v1/clusters/${parent}`,
          },
        }),
        status: { conditions: AGGREGATED_TYPES.map((type) => ({ type, ...initial })) },
      })
      expect(response.headers.get('location')).toBe(response.body.href)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await server.get(response.body.href)).toMatchObject({
        status: 200,
        body: response.body,
      })
    })

    test('with empty labels if the request has none', async () => {
      expect((await post(creation(kind))).body.labels).toEqual({})
    })

    test('with annotations, and without the field if there are none', async () => {
      const annotations = { 'example.com/note': 'a\nb', '': '', __proto: 'x' }
      const response = await post(creation(kind, { annotations }))
      expect(response).toMatchObject({
        status: 201,
        body: { annotations, labels: {}, generation: 1 },
      })
      expect((await server.get(response.body.href)).body).toEqual(response.body)
      for (const fields of [{}, { annotations: {} }]) {
        const { body } = await post(creation(kind, fields))
        expect(body).not.toHaveProperty('annotations')
        expect((await server.get(body.href)).body).toEqual(body)
      }
    })

    test('with ids that sort by creation time', async () => {
      const ids: string[] = []
      for (let count = 0; count < 5; count += 1) {
        ids.push((await create(server, kindCase, {}, collection)).body.id)
        await sleep(2)
      }
      expect(ids.toSorted()).toEqual(ids)
    })

    test('and ignores read-only and unknown fields', async () => {
      const name = newName()
      const response = await post({
        ...creation(kind, { name }),
        href: '/elsewhere',
        generation: 7,
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
        created_time: 'yesterday',
        updated_time: null,
        created_by: 'mallory',
        updated_by: 5,
        owner_references: { id: 'other' },
        deleted_time: '2026-01-01T00:00:00Z',
        unknown: [1],
      })
      expect(response).toMatchObject({
        status: 201,
        body: { name, generation: 1, created_by: 'system@hyperfleet.local' },
      })
      expect(response.body.href).toContain(response.body.id)
      expect(response.body.status.conditions[1]).toMatchObject({ type: 'Ready', status: 'False' })
      expect(response.body).not.toHaveProperty('unknown')
      expect(response.body).not.toHaveProperty('deleted_time')
    })

    test('and reads no field from a field named __proto__', async () => {
      const text = withSpec('{}').replace('{"kind"', '{"__proto__":{"labels":{"a":"b"}},"kind"')
      expect(await post(text)).toMatchObject({ status: 201, body: { labels: {} } })
      const nameless = `{"kind":"${kind}","spec":{},"__proto__":{"name":"${newName()}"}}`
      expect((await post(nameless)).body.detail).toBe('name is required')
    })

    test.each([
      ['an empty id', { id: '' }],
      ['a null id', { id: null }],
      ['the shortest name', { name: 'abc' }],
      ['the longest name', { name: 'a'.repeat(longestName) }],
      ['a name of digits and hyphens', { name: '0--9' }],
      ['an empty spec', { spec: {} }],
      ['empty labels', { labels: {} }],
      ['odd labels', { labels: { '': '', 'a b/"\\': '\u{1f600}\n', in: 'x' } }],
    ])('for %s', async (_what, fields) => {
      const body = creation(kind, fields)
      const response = await post(body)
      expect(response.text).toContain('"generation":1')
      const { id: _id, ...rest } = { id: null, ...body }
      expect(response).toMatchObject({ status: 201, body: rest })
    })

    test.each([
      ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
      ['Application/JSON', 'Application/JSON'],
    ])('for the Content-Type %s', async (_name, type) => {
      expect((await post(creation(kind), { 'Content-Type': type })).status).toBe(201)
    })

    test('for a body without a Content-Type that no browser sent', async () => {
      const { status } = await sendLines(portOf(server.origin), {
        method: 'POST',
        target: BASE_PATH + collection,
        lines: ['Host: localhost'],
        body: JSON.stringify(creation(kind)),
      })
      expect(status).toBe(201)
    })
  })

  describe('returns 400 VAL-006', () => {
    test.each([
      ['a missing body', undefined, 'Request body is required'],
      ['an empty body', '', 'Request body is required'],
      ['a blank body', '  \n', 'not valid JSON'],
      ['a truncated body', '{"kind":', 'position 8'],
      ['a body with a trailing comma', '{"kind":"Cluster",}', 'position 18'],
      ['two bodies', '{} {}', 'position 3'],
      ['an array', '[]', 'not an array'],
      ['a string', '"x"', 'not a string'],
      ['a number', '5', 'not a number'],
      ['null', 'null', 'not null'],
    ])('for %s', async (_what, body, detail) => {
      const response = await post(
        body,
        body === undefined ? {} : { 'Content-Type': 'application/json' },
      )
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-006' } })
      expect(response.body.detail).toContain(detail)
    })

    test('for bytes that are not UTF-8', async () => {
      const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)
      const response = await post(bytes, { 'Content-Type': 'application/json' })
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-006' } })
    })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'json'])(
    'returns 415 VAL-006 for the Content-Type %s',
    async (type) => {
      const response = await post(JSON.stringify(creation(kind)), { 'Content-Type': type })
      expect(response).toMatchObject({ status: 415, body: { code: 'HYPERFLEET-VAL-006' } })
    },
  )

  test('returns 413 VAL-006 for a body over 1 MiB and 201 for a body of exactly 1 MiB', async () => {
    const padding = LIMIT - withSpec('{"a":""}').length - 4
    const fits = withSpec(`{"a":"${'x'.repeat(padding)}"}`)
    const tooLong = fits.padEnd(LIMIT + 1)
    const rejected = await post(tooLong, { 'Content-Type': 'application/json' })
    expect(rejected).toMatchObject({ status: 413, body: { code: 'HYPERFLEET-VAL-006' } })
    expect(rejected.body.detail).toContain(String(LIMIT))
    const accepted = await post(fits.padEnd(LIMIT), { 'Content-Type': 'application/json' })
    expect(accepted.status).toBe(201)
  })

  describe('checks', () => {
    const broken = '{"kind"'
    const long = broken.padEnd(LIMIT + 1)

    test.each([
      ['a missing body before its Content-Type', '', 'text/plain', 400],
      ['the Content-Type before the length', long, 'text/plain', 415],
      ['the length before the syntax', long, 'application/json', 413],
      ['the syntax before the fields', broken, 'application/json', 400],
    ])('%s', async (_what, body, type, status) => {
      const response = await post(body, { 'Content-Type': type })
      expect(response).toMatchObject({ status, body: { code: 'HYPERFLEET-VAL-006' } })
    })

    test('the fields before conflicts', async () => {
      const { body } = await create(server, kindCase, {}, collection)
      const response = await post({ kind, name: body.name })
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
    })
  })

  describe('returns 400 VAL-000', () => {
    test.each<[string, object, string, string]>([
      ['an id', { id: 'x' }, 'id', 'id must be empty'],
      ['an id that is not a string', { id: 5 }, 'id', 'id must be empty'],
      ['a missing name', { name: undefined }, 'name', 'name is required'],
      ['a null name', { name: null }, 'name', 'name is required'],
      ['an empty name', { name: '' }, 'name', 'name is required'],
      ['a name that is not a string', { name: 123 }, 'name', 'name must be string'],
      ['a name of 2 characters', { name: 'ab' }, 'name', 'name must be at least 3 characters'],
      [
        'a name over the limit',
        { name: 'a'.repeat(longestName + 1) },
        'name',
        `name must be at most ${longestName} characters`,
      ],
      ['a name with capitals', { name: 'Name' }, 'name', NAME_RULE],
      ['a name with an underscore', { name: 'na_me' }, 'name', NAME_RULE],
      ['a name with a leading hyphen', { name: '-name' }, 'name', NAME_RULE],
      ['a name with a trailing hyphen', { name: 'name-' }, 'name', NAME_RULE],
      ['a name with a trailing newline', { name: 'name\n' }, 'name', NAME_RULE],
      ['a name with other letters', { name: 'n\u00e4me' }, 'name', NAME_RULE],
      ['a missing kind', { kind: undefined }, 'kind', 'kind is required'],
      ['a null kind', { kind: null }, 'kind', 'kind is required'],
      ['a kind in different case', { kind: kind.toLowerCase() }, 'kind', `kind must be '${kind}'`],
      ['another kind', { kind: 'Fleet' }, 'kind', `kind must be '${kind}'`],
      ['a missing spec', { spec: undefined }, 'spec', 'spec is required'],
      ['a null spec', { spec: null }, 'spec', 'spec is required'],
      ['a spec that is a string', { spec: 'x' }, 'spec', 'spec must be object'],
      ['a spec that is an array', { spec: [] }, 'spec', 'spec must be object'],
      ['labels that are a string', { labels: 'x' }, 'labels', 'labels must be object'],
      ['labels that are an array', { labels: [] }, 'labels', 'labels must be object'],
      ['a label that is a number', { labels: { a: 1 } }, 'labels.a', 'labels.a must be string'],
      ['a label that is null', { labels: { a: null } }, 'labels.a', 'labels.a must be string'],
      [
        'annotations that are null',
        { annotations: null },
        'annotations',
        'annotations must be object',
      ],
      [
        'annotations that are a list',
        { annotations: [] },
        'annotations',
        'annotations must be object',
      ],
      [
        'an annotation that is an object',
        { annotations: { a: {} } },
        'annotations.a',
        'annotations.a must be string',
      ],
      [
        'a label with a dotted key',
        { labels: { 'app.kubernetes.io/name': true } },
        'labels.app.kubernetes.io/name',
        'labels.app.kubernetes.io/name must be string',
      ],
    ])('for %s', async (_what, fields, field, detail) => {
      const response = await post(creation(kind, fields))
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'HYPERFLEET-VAL-000', title: 'Validation Failed' },
      })
      expect(response.body.detail).toContain(detail)
      expect(response.body.errors).toEqual([
        expect.objectContaining({ field, message: expect.stringContaining(detail) }),
      ])
    })

    test('and counts lengths in characters, not in UTF-16 units', async () => {
      const { body: short } = await post(creation(kind, { name: '\u{1f600}'.repeat(2) }))
      expect(short.detail).toContain('name must be at least 3 characters')
      const { body: long } = await post(creation(kind, { name: '\u{1f600}'.repeat(longestName) }))
      expect(long.detail).toContain(NAME_RULE)
      expect(long.detail).not.toContain('at most')
    })

    test.each([
      ['a NUL in a string', '{"a":"\\u0000"}', 'spec.a'],
      ['a NUL in a key', '{"a":{"b\\u0000":1}}', 'spec.a.b'],
      ['a lone high surrogate', '{"a":["\\ud800"]}', 'spec.a[0]'],
      ['a lone low surrogate', '{"a":[[],"x\\udc00x"]}', 'spec.a[1]'],
      ['surrogates in the wrong order', '{"a":"\\udc00\\ud800"}', 'spec.a'],
      ['a lone surrogate in a key', '{"\\udfff":1}', 'spec.'],
      ['a number above the range of a double', '{"a":1e400}', 'spec.a'],
      ['a negative number below the range of a double', '{"a":{"b":[0,-1e400]}}', 'spec.a.b[1]'],
      ['an integer that is not exact as a double', '{"a":9007199254740993}', 'spec.a'],
      ['a negative integer that is not exact as a double', '{"a":-9007199254740993}', 'spec.a'],
      ['101 levels', nested(101), 'spec.a.a'],
      ['10 000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, ''],
    ])('for %s in the spec', async (_what, spec, field) => {
      const response = await post(withSpec(spec))
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      expect(response.body.errors[0].field).toContain(field)
    })

    test('for a NUL in a label, a label key, an annotation and the name', async () => {
      const notes = { labels: { a: '\0', 'b\0': 'x' }, annotations: { c: '\0' } }
      const response = await post(creation(kind, { name: 'na\0me', ...notes }))
      expect(response).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      const fields = response.body.errors.map(({ field }: { field: string }) => field)
      expect(new Set(fields)).toEqual(new Set(['name', 'labels.a', 'labels.b\0', 'annotations.c']))
    })

    test('with all violations in one response', async () => {
      const text = JSON.stringify({
        id: 'x',
        kind: 'Fleet',
        name: 'A!',
        labels: { a: 1 },
        spec: [],
      })
      const response = await post(text.replace('[]', '{"n":1e400,"s":"\\u0000"}'))
      expect(response.status).toBe(400)
      const fields = response.body.errors.map(({ field }: { field: string }) => field)
      expect(fields.toSorted()).toEqual(
        ['id', 'kind', 'labels.a', 'name', 'name', 'spec.n', 'spec.s'].toSorted(),
      )
      for (const { message } of response.body.errors)
        expect(response.body.detail).toContain(message)
    })

    test('for an empty object, with every required field', async () => {
      const response = await post({})
      expect(response.body.detail).toBe('kind is required; name is required; spec is required')
    })
  })

  describe('returns equal JSON', () => {
    async function expectRoundTrip(spec: string) {
      const response = await post(withSpec(spec))
      expect(response.status).toBe(201)
      const expected: unknown = JSON.parse(spec)
      const read = await server.get(`${collection}/${response.body.id}`)
      for (const body of [response.body, read.body]) {
        if (!isDeepStrictEqual(body.spec, expected)) expect(body.spec).toEqual(expected)
      }
    }

    test.each([
      [
        '__proto__ and constructor as keys',
        '{"__proto__":{"a":1},"constructor":null,"b":{"__proto__":"x"}}',
      ],
      ['unicode', '{"\u{1f600}":"\u00e9 e\u0301 \u2028 \ufffe \u{10ffff} \\u0001 \\ud83d\\ude00"}'],
      ['nested empty values', '{"a":{},"b":[],"c":"","d":null,"e":[[],{}],"":0}'],
      ['100 levels', nested(100)],
      [
        'numbers',
        '{"n":[0,0.1,-1.5,1e21,1.7976931348623157e308,5e-324,9007199254740992,18014398509481984,1E2,0.30000000000000004]}',
      ],
      ['a duplicate key, whose last value wins', '{"a":1,"b":2,"a":3}'],
      ['a long list', JSON.stringify({ list: Array.from({ length: 20_000 }, (_, n) => ({ n })) })],
    ])('for %s', async (_what, spec) => {
      await expectRoundTrip(spec)
    })

    test('for the labels __proto__ and toString', async () => {
      const labels = '{"__proto__":"a","toString":"b"}'
      const text = withSpec('{}').replace('{"kind"', `{"labels":${labels},"kind"`)
      const response = await post(text)
      expect(response.status).toBe(201)
      expect(isDeepStrictEqual(response.body.labels, JSON.parse(labels))).toBe(true)
      const read = await server.get(`${collection}/${response.body.id}`)
      expect(isDeepStrictEqual(read.body.labels, JSON.parse(labels))).toBe(true)
    })

    test.each(proofTurns(kindCase, [60]))('for any spec', async (numRuns) => {
      const text = fc
        .string({ unit: ANY_CHARACTER, maxLength: 5 })
        .map((string) => string.replaceAll('\0', ''))
      const number = fc.oneof(
        fc.maxSafeInteger(),
        fc
          .double({ noDefaultInfinity: true, noNaN: true })
          .filter((n) => !(Number.isInteger(n) && Math.abs(n) > 2 ** 53)),
      )
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof(
          { maxDepth: 4 },
          text,
          number,
          fc.constantFrom(null, true, false),
          fc.array(tie('value'), { maxLength: 4 }),
          fc
            .array(fc.tuple(fc.oneof(text, fc.constant('__proto__')), tie('value')), {
              maxLength: 4,
            })
            .map((entries) => Object.fromEntries(entries)),
        ),
      }))
      const spec = fc
        .array(fc.tuple(text, value), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries))
      await fc.assert(
        fc.asyncProperty(spec, (fields) => expectRoundTrip(JSON.stringify(fields))),
        { numRuns },
      )
    })
  })

  describe('returns 409 CNF-001', () => {
    test('for a name that exists', async () => {
      const { body } = await create(server, kindCase, {}, collection)
      const response = await post(creation(kind, { name: body.name }))
      expect(response).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-001' } })
      expect(response.body.detail).toContain(`This ${kind} already exists`)
    })

    test('for all except one of several concurrent creates with the same name', async () => {
      const body = creation(kind)
      const responses = await Promise.all(Array.from({ length: 10 }, () => post(body)))
      const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
      expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
    })
  })
})

describe('a missing parent', () => {
  const path = '/clusters/nowhere/nodepools'

  test('returns 404 NTF-001', async () => {
    const response = await server.post(path, creation('NodePool'))
    expect(response).toMatchObject({ status: 404, body: { code: 'HYPERFLEET-NTF-001' } })
    expect(response.body.detail).toBe("Cluster with id='nowhere' not found")
  })

  test('is reported after violations of the body', async () => {
    expect(await server.post(path, { kind: 'NodePool' })).toMatchObject({ status: 400 })
    expect(await server.request('POST', path, 'x', { 'Content-Type': 'text/plain' })).toMatchObject(
      {
        status: 415,
      },
    )
  })

  test('includes a resource of another kind', async () => {
    const pool = await create(server, nodePool)
    const response = await server.post(`/clusters/${pool.body.id}/nodepools`, creation('NodePool'))
    expect(response.status).toBe(404)
  })
})

describe('a name', () => {
  test('can be reused in another cluster and for another kind', async () => {
    const [first, second] = [
      (await server.post('/clusters', creation('Cluster'))).body,
      (await server.post('/clusters', creation('Cluster'))).body,
    ]
    for (const { id } of [first, second]) {
      const response = await server.post(
        `/clusters/${id}/nodepools`,
        creation('NodePool', { name: first.name }),
      )
      expect(response.status).toBe(201)
    }
  })
})

test('rejects the creation of a node pool without its cluster', async () => {
  expect((await server.post('/nodepools', creation('NodePool'))).status).toBe(422)
})
