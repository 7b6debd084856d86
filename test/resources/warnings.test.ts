import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { parseResponse, sendRaw } from '../../src/http/server/fixtures.ts'
import { must } from '../../src/lib/assert.ts'
import { createFleet } from '../fleets/members/member-fixtures.ts'
import { creation, report } from '../support/fixtures.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'

const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' }

let server: TestServer
let cluster: string

beforeAll(async () => {
  server = await startTestServer({ kinds: [...kinds, ...referringKinds] })
  cluster = `/clusters/${(await server.post('/clusters', creation('Cluster'))).body.id}`
})
afterAll(() => server[Symbol.asyncDispose]())

const warningOf = ({ headers }: TestResponse) => headers.get('warning')
const statuses = () => `${cluster}/statuses`

describe('Warning: 299', () => {
  test('is absent if the server ignores nothing in the request', async () => {
    const created = await server.post('/clusters', creation('Cluster', { id: '', labels: {} }))
    expect(created.status).toBe(201)
    expect(warningOf(created)).toBeNull()
    const full = report('validator', {
      data: { any: { thing: 1 } },
      metadata: { job_name: 'a', attempt: 1 },
    })
    expect(warningOf(await server.post(statuses(), full))).toBeNull()
    expect(warningOf(await server.get(cluster))).toBeNull()
  })

  test('names an adapter that is not required', async () => {
    const response = await server.post(statuses(), report('janitor'))
    expect(response.status).toBe(201)
    expect(warningOf(response)).toBe(
      `299 - "adapter 'janitor' is not required for Cluster: its report does not count for Ready and Available (required: validator, dns, pullsecret, hypershift)"`,
    )
  })

  test('follows the adapters that a member of a fleet declares', async () => {
    const fleet = await createFleet(server, 'warned', { replicas: 1, requiredAdapters: ['own'] })
    await fleet.converge()
    const { uid } = must((await fleet.compare()).members[0], 'a member')
    const path = `/clusters/${uid}/statuses`
    expect(warningOf(await server.post(path, report('own')))).toBeNull()
    const response = await server.post(path, report('dns', { observed_generation: null }))
    expect(warningOf(response)).toBe(
      `299 - "adapter 'dns' is not required for this Cluster: its report does not count for Ready and Available (required: own)", 299 - "observed_generation is missing: the report counts for generation 0, and never makes a newer spec Ready"`,
    )
    // Heartbeats of a batch.
    const same = await Promise.all(
      ['own', 'dns', 'own', 'dns'].map((adapter) => server.post(path, report(adapter))),
    )
    expect(same.map((one) => warningOf(one) !== null)).toEqual([false, true, false, true])
  })

  test.each([
    ['available', 'Available'],
    ['AVAILABLE', 'Available'],
    ['finalized', 'Finalized'],
    ['health', 'Health'],
  ])('names the condition type %s and suggests %s', async (type, meant) => {
    const conditions = [
      { type, status: 'True' },
      { type: 'Other', status: 'True' },
    ]
    const response = await server.post(statuses(), report('dns', { conditions }))
    expect(response.status).toBe(201)
    expect(warningOf(response)).toBe(
      `299 - "condition type '${type}' is not '${meant}': types are case-sensitive"`,
    )
  })

  test('names unknown fields of a report, at every level', async () => {
    const response = await server.put(statuses(), {
      ...report('validator', { observed_time: new Date().toISOString() }),
      observedGeneration: 1,
      conditions: ['Available', 'Applied', 'Health'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: 'x',
      })),
      metadata: { job: 'a' },
    })
    expect(response.status, response.text).toBe(201)
    const paths = [
      'observedGeneration',
      ...[0, 1, 2].map((index) => `conditions[${index}].lastTransitionTime`),
      'metadata.job',
    ]
    for (const path of paths) {
      expect(warningOf(response)).toContain(`"member '${path}' is not known here and is ignored"`)
    }
  })

  test('names unknown and read-only fields of a create request', async () => {
    const sent = creation('Cluster', { status: {}, generation: 7, lables: { a: 'b' } })
    const response = await server.post('/clusters', sent)
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({ generation: 1, labels: {} })
    expect(warningOf(response)?.split(', ')).toEqual([
      `299 - "member 'status' is set by the server and is ignored"`,
      `299 - "member 'generation' is set by the server and is ignored"`,
      `299 - "member 'lables' is not known here and is ignored"`,
    ])
  })

  test('names unknown fields of references and of patches', async () => {
    const wif = (await server.post('/wifconfigs', creation('WifConfig'))).body.id
    const references = { wif_config: [{ id: wif, name: 'x' }] }
    const channel = await server.post('/channels', creation('Channel', { references }))
    expect(channel.status, channel.text).toBe(201)
    expect(warningOf(channel)).toContain("member 'references.wif_config[0].name' is not known")
    const operations = [{ op: 'add', path: '/labels/a', value: 'b', note: 'x' }]
    const patched = await server.request('PATCH', cluster, operations, JSON_PATCH)
    expect(patched.status, patched.text).toBe(200)
    expect(warningOf(patched)).toBe(`299 - "member '[0].note' is not known here and is ignored"`)
  })

  test('is absent for fields in specs, labels and data, and in error responses', async () => {
    const spec = { status: 1, unknown: { kind: 'x' } }
    const created = await server.post(
      '/clusters',
      creation('Cluster', { spec, labels: { x: 'y' } }),
    )
    expect(warningOf(created)).toBeNull()
    const invalid = await server.post('/clusters', creation('Cluster', { name: 'A', lables: {} }))
    expect([invalid.status, warningOf(invalid)]).toEqual([400, null])
    const missing = await server.post('/clusters/none/statuses', report('janitor'))
    expect([missing.status, warningOf(missing)]).toEqual([404, null])
  })

  test('is also in the response to a discarded report', async () => {
    const unknown = [{ type: 'Available', status: 'Unknown' }]
    await server.post(statuses(), report('janitor'))
    const response = await server.post(statuses(), report('janitor', { conditions: unknown }))
    expect(response.status).toBe(204)
    expect(warningOf(response)).toContain("adapter 'janitor'")
  })

  test('has limits in number and length, and is printable ASCII for any field names', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `"\\é\u{1f600}\u007f,${index}`)
    const long = 'x'.repeat(100_000)
    const body = JSON.stringify(
      creation('Cluster', Object.fromEntries([long, ...names].map((name) => [name, 1]))),
    )
    const head = [
      'POST /api/hyperfleet/v1/clusters HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    const raw = await sendRaw(
      Number(new URL(server.origin).port),
      `${head.join('\r\n')}\r\n\r\n${body}`,
    )
    expect(parseResponse(raw).status).toBe(201)
    const lines = raw.split('\r\n').filter((line) => /^warning:/i.test(line))
    expect(lines).toHaveLength(11)
    for (const line of lines) {
      expect(line).toMatch(/^Warning: 299 - "(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"$/)
      expect(line.length).toBeLessThan(450)
    }
    expect(lines.at(-1)).toContain('41 more warnings are not shown')
  })

  test('is exposed to pages from allowed origins', async () => {
    await using open = await startTestServer({ env: { CORS_ORIGINS: 'https://ui.example.com' } })
    const response = await open.request('GET', '/clusters', undefined, {
      Origin: 'https://ui.example.com',
    })
    expect(response.headers.get('access-control-expose-headers')?.split(', ')).toContain('Warning')
  })

  test('is in the OpenAPI document', async () => {
    const { paths, components } = (await server.get('/openapi')).body
    const header = { $ref: '#/components/headers/Warning' }
    expect(components.headers.Warning).toBeDefined()
    expect(paths['/clusters'].post.responses['201'].headers.Warning).toEqual(header)
    for (const method of ['post', 'put']) {
      const { responses } = paths['/clusters/{cluster_id}/statuses'][method]
      expect(responses['201'].headers.Warning).toEqual(header)
      expect(responses['204'].headers.Warning).toEqual(header)
    }
  })
})
