import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { planeClient } from './conformance/plane-client.ts'
import { definitionSpecs } from './conformance/specs/definition-specs.ts'
import { watchUntil } from './watch-until.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'warn', ROLE: 'all' } })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of many kinds
  readonly body: any
  readonly warnings: string | null
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
): Promise<Answer> {
  const response = await fetch(server.origin + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: JSON.parse(text),
    warnings: response.headers.get('warning'),
  }
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['host'],
      properties: {
        host: { type: 'string', pattern: '^[a-z.]+$' },
        replicas: { type: 'integer', default: 2, minimum: 0 },
      },
      'x-kubernetes-validations': [
        { rule: 'self.replicas < 10 || self.host == "big"', message: 'too many replicas' },
        { rule: 'self.host == oldSelf.host', message: 'host is immutable' },
      ],
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
}

function definition(plural: string, overrides: object = {}) {
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: SCHEMA },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          selectableFields: [{ jsonPath: '.spec.host' }],
        },
        { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: SCHEMA } },
      ],
      ...overrides,
    },
  }
}

async function define(plural: string, overrides: object = {}): Promise<void> {
  const created = await call('POST', DEFINITIONS, definition(plural, overrides))
  expect(created.status).toBe(201)
  await expect
    .poll(async () => (await call('GET', `/apis/example.com/v1/${plural}`)).status)
    .toBe(200)
}

async function isEstablished(plural: string): Promise<boolean> {
  const { body } = await call('GET', `${DEFINITIONS}/${plural}.example.com`)
  const conditions: readonly { type: string; status: string }[] = body.status?.conditions ?? []
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
}

function instance(plural: string, name: string, spec: object = { host: 'a.b' }) {
  const { kind } = definition(plural).spec.names
  return { apiVersion: 'example.com/v1', kind, metadata: { name }, spec }
}

function pathOf(plural: string, version = 'v1'): string {
  return `/apis/example.com/${version}/namespaces/default/${plural}`
}

describe('custom resources', () => {
  it('R36: serves a definition after its names were accepted', async () => {
    await define('fleets')
    const read = await call('GET', `${DEFINITIONS}/fleets.example.com`)
    expect(read.body.status).toMatchObject({
      acceptedNames: { plural: 'fleets', singular: 'fleet', kind: 'Fleet', listKind: 'FleetList' },
      storedVersions: ['v1'],
      conditions: [
        { type: 'NamesAccepted', status: 'True' },
        { type: 'Established', status: 'True' },
      ],
    })
    const resources = await call('GET', '/apis/example.com/v1')
    expect(resources.body.resources.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'fleets',
      'fleets/scale',
      'fleets/status',
    ])
  })

  it('R36: accepts objects as soon as a client has read that the definition is established', async () => {
    for (const letter of 'abcdefghijklmno') {
      const plural = `raft${letter}s`
      expect((await call('POST', DEFINITIONS, definition(plural))).status).toBe(201)
      while (!(await isEstablished(plural)));
      const { status } = await call('POST', pathOf(plural), instance(plural, 'a'))
      expect([plural, status]).toEqual([plural, 201])
    }
  })

  it('R36: sets defaults, prunes unknown fields, and validates schema and rules', async () => {
    await define('boats')
    const created = await call('POST', pathOf('boats'), {
      ...instance('boats', 'a', { host: 'a.b', other: 1 }),
    })
    expect(created.status).toBe(201)
    expect(created.body.spec).toEqual({ host: 'a.b', replicas: 2 })
    expect(created.warnings).toContain('unknown field \\"spec.other\\"')
    const strict = `${pathOf('boats')}?fieldValidation=Strict`
    const rejected = await call('POST', strict, instance('boats', 'b', { host: 'a', other: 1 }))
    expect(rejected).toMatchObject({ status: 400, body: { reason: 'BadRequest' } })
    const invalid = await call('POST', pathOf('boats'), instance('boats', 'b', { host: 'A' }))
    expect(invalid.status).toBe(422)
    expect(invalid.body.message).toBe(
      `Boat.example.com "b" is invalid: spec.host: Invalid value: "A": spec.host in body should match '^[a-z.]+$'`,
    )
    const many = instance('boats', 'b', { host: 'a', replicas: 20 })
    expect((await call('POST', pathOf('boats'), many)).body.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: too many replicas',
        field: 'spec',
      },
    ])
    const moved = { spec: { host: 'c.d' } }
    const path = `${pathOf('boats')}/a`
    const patched = await call('PATCH', path, moved, 'application/merge-patch+json')
    expect(patched.status).toBe(422)
    expect(patched.body.message).toContain('host is immutable')
    const strategic = await call('PATCH', path, moved, 'application/strategic-merge-patch+json')
    expect(strategic.status).toBe(415)
  })

  it('R36: serves objects in every served version and stores one', async () => {
    await define('ships')
    await call('POST', pathOf('ships', 'v2'), {
      ...instance('ships', 'a'),
      apiVersion: 'example.com/v2',
    })
    const read = await call('GET', `${pathOf('ships', 'v1')}/a`)
    expect(read.body).toMatchObject({ apiVersion: 'example.com/v1', spec: { host: 'a.b' } })
    const list = await call('GET', pathOf('ships', 'v2'))
    expect(list.body).toMatchObject({
      apiVersion: 'example.com/v2',
      kind: 'ShipList',
      items: [{ apiVersion: 'example.com/v2', metadata: { name: 'a' } }],
    })
  })

  it('R36: shows defaults that were declared after an object was stored', async () => {
    await define('rafts')
    await call('POST', pathOf('rafts'), instance('rafts', 'a'))
    const text = JSON.stringify(definition('rafts').spec.versions)
    const color = '"color":{"type":"string","default":"red"},'
    const versions = JSON.parse(text.replaceAll('"host":{', `${color}"host":{`))
    const patch = { spec: { versions } }
    const path = `${DEFINITIONS}/rafts.example.com`
    const patched = await call('PATCH', path, patch, 'application/merge-patch+json')
    expect(patched.status).toBe(200)
    await expect
      .poll(async () => (await call('GET', `${pathOf('rafts')}/a`)).body.spec)
      .toMatchObject({ color: 'red', host: 'a.b' })
  })

  it('R13: selects by declared fields', async () => {
    await define('carts')
    await call('POST', pathOf('carts'), instance('carts', 'a', { host: 'x' }))
    await call('POST', pathOf('carts'), instance('carts', 'b', { host: 'y' }))
    const list = await call('GET', `${pathOf('carts')}?fieldSelector=spec.host%3Dy`)
    expect(list.body.items.map((item: { metadata: object }) => item.metadata)).toMatchObject([
      { name: 'b' },
    ])
    const unknown = await call('GET', `${pathOf('carts')}?fieldSelector=spec.other%3Dy`)
    expect(unknown.status).toBe(400)
  })

  it('R24: status and scale change only their part', async () => {
    await define('vans')
    await call('POST', pathOf('vans'), { ...instance('vans', 'a'), status: { replicas: 5 } })
    const path = `${pathOf('vans')}/a`
    const created = await call('GET', path)
    expect(created.body.status).toBeUndefined()
    const reported = { ...created.body, spec: { host: 'x' }, status: { replicas: 1 } }
    const updated = await call('PUT', `${path}/status`, reported)
    expect(updated.body).toMatchObject({ spec: { host: 'a.b' }, status: { replicas: 1 } })
    expect(updated.body.metadata.generation).toBe(1)
    const scale = await call('GET', `${path}/scale`)
    expect(scale.body).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: 'default' },
      spec: { replicas: 2 },
      status: { replicas: 1 },
    })
    const scaled = await call('PUT', `${path}/scale`, { ...scale.body, spec: { replicas: 4 } })
    expect(scaled).toMatchObject({ status: 200, body: { kind: 'Scale', spec: { replicas: 4 } } })
    const patch = { spec: { replicas: 5 } }
    const patched = await call('PATCH', `${path}/scale`, patch, 'application/merge-patch+json')
    expect(patched).toMatchObject({ status: 200, body: { kind: 'Scale', spec: { replicas: 5 } } })
    expect((await call('GET', path)).body).toMatchObject({
      spec: { host: 'a.b', replicas: 5 },
      status: { replicas: 1 },
      metadata: { generation: 3 },
    })
  })

  it('R36: rejects definitions whose schema is not structural', async () => {
    const bad = definition('trams')
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: {} } }]
    const rejected = await call('POST', DEFINITIONS, { ...bad, spec: { ...bad.spec, versions } })
    expect(rejected).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
  })

  it('R36: a condition of a definition may lack type and status, as for Go clients', async () => {
    await define('kayaks')
    const path = `${DEFINITIONS}/kayaks.example.com/status`
    const added = [{ op: 'add', path: '/status/conditions/-', value: { message: 'patched' } }]
    const patched = await call('PATCH', path, added, 'application/json-patch+json')
    expect(patched.status).toBe(200)
    expect(patched.body.status.conditions).toContainEqual({
      message: 'patched',
      type: '',
      status: '',
    })
  })

  it('R36: waits with a definition whose kind is in use, until it is free', async () => {
    await define('cars')
    const other = definition('autos', { names: { plural: 'autos', singular: 'auto', kind: 'Car' } })
    await call('POST', DEFINITIONS, other)
    const read = async () => (await call('GET', `${DEFINITIONS}/autos.example.com`)).body
    await expect
      .poll(async () => (await read()).status.conditions?.[0]?.reason)
      .toBe('KindConflict')
    expect((await call('GET', pathOf('autos'))).status).toBe(404)
    await call('DELETE', `${DEFINITIONS}/cars.example.com`)
    await expect.poll(async () => (await call('GET', pathOf('autos'))).status).toBe(200)
  })

  it('R36: deletes the instances of a definition first, and rejects new ones', async () => {
    await define('jets')
    const held = {
      ...instance('jets', 'a'),
      metadata: { name: 'a', finalizers: ['example.com/f'] },
    }
    await call('POST', pathOf('jets'), held)
    await call('POST', pathOf('jets'), instance('jets', 'b'))
    const deleted = await call('DELETE', `${DEFINITIONS}/jets.example.com`)
    expect(deleted.body.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Terminating', status: 'True' }),
    )
    await expect
      .poll(async () => (await call('GET', pathOf('jets'))).body.items)
      .toMatchObject([{ metadata: { name: 'a', deletionTimestamp: expect.any(String) } }])
    const rejected = await call('POST', pathOf('jets'), instance('jets', 'c'))
    expect(rejected).toMatchObject({ status: 405, body: { reason: 'MethodNotAllowed' } })
    const path = `${pathOf('jets')}/a`
    const patch = { metadata: { finalizers: null } }
    const freed = await call('PATCH', path, patch, 'application/merge-patch+json')
    expect(freed.status).toBe(200)
    await expect
      .poll(async () => (await call('GET', `${DEFINITIONS}/jets.example.com`)).status)
      .toBe(404)
    await expect.poll(async () => (await call('GET', pathOf('jets'))).status).toBe(404)
  })

  it('R36: keeps every digit of an int64 in every form', async () => {
    const large = { type: 'integer', format: 'int64', maximum: 9.3e18, multipleOf: 1 }
    const spec = {
      type: 'object',
      properties: { num: large, list: { type: 'array', items: large } },
    }
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
    const columns = [{ name: 'Num', type: 'integer', jsonPath: '.spec.num' }]
    await define('counters', {
      versions: [
        { name: 'v1', served: true, storage: true, schema, additionalPrinterColumns: columns },
      ],
    })
    const send = async (method: string, path: string, body?: string, type = 'application/json') => {
      const headers = {
        ...(body !== undefined && { 'Content-Type': type }),
        Accept: 'application/json',
      }
      const response = await fetch(server.origin + path, { method, headers, ...(body && { body }) })
      return { status: response.status, text: await response.text() }
    }
    const head = '"apiVersion":"example.com/v1","kind":"Counter"'
    const stored = '"spec":{"num":9223372036854775807,"list":[-9223372036854775807,1]}'
    const path = pathOf('counters')
    const created = await send('POST', path, `{${head},"metadata":{"name":"a"},${stored}}`)
    expect(created).toMatchObject({ status: 201, text: expect.stringContaining(stored) })
    const read = await send('GET', `${path}/a`)
    expect(read.text).toContain(stored)
    expect((await send('PUT', `${path}/a`, read.text)).text).toBe(read.text)
    const yaml = 'metadata: {name: b}\nspec: {num: 9007199254740993, list: [1152921504606846976]}\n'
    const other = await send('POST', path, yaml, 'application/yaml')
    expect(other.text).toContain('"spec":{"num":9007199254740993,"list":[1152921504606846976]}')
    const apply = `${path}/a?fieldManager=m&force=true`
    const applied = `{${head},"metadata":{"name":"a"},"spec":{"num":9007199254740995}}`
    const conflict = await send('PATCH', apply, applied, 'application/apply-patch+yaml')
    expect(conflict.text).toContain('"num":9007199254740995')
    const listed = await send('GET', path)
    expect(listed.text).toContain('"num":9007199254740995')
    expect(listed.text).toContain('[1152921504606846976]')
    const watched = await watchUntil(`${server.origin}${path}?watch=true`, '"name":"b"')
    expect(watched).toContain('"num":9007199254740995')
    const tooLarge = `{${head},"metadata":{"name":"c"},"spec":{"num":9223372036854775809}}`
    expect(await send('POST', path, tooLarge)).toMatchObject({
      status: 422,
      text: expect.stringContaining('spec.num is an integer that neither an int64 nor a double'),
    })
  })
})

definitionSpecs(() => planeClient(server.origin, ''))
