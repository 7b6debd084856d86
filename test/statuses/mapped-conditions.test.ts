import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Kind } from '../../src/store/registry/kind.ts'
import { loadKindsFile } from '../../src/hyperfleet/configured-kinds/load-kinds-file.ts'
import { kinds as builtIn } from '../../src/hyperfleet/kinds/index.ts'
import { conditionsOf, creation, report } from '../support/fixtures.ts'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const RULES = `
      - type: QuotaSufficient
        when:
          expression: |
            statuses.exists(s, s.adapter == "gcp" && s.?data.?quotaRemaining.hasValue())
        output:
          status:
            expression: |
              statuses.filter(s, s.adapter == "gcp")[0].data.quotaRemaining > 10.0 ? "True" : "False"
          reason: { expression: '"QuotaRead"' }
          message:
            expression: |
              "Remaining: " + string(statuses.filter(s, s.adapter == "gcp")[0].data.quotaRemaining)
      - type: ControlPlaneReady
        when:
          expression: |
            statuses.exists(s, s.conditions.exists(c, c.type == "ControlPlaneReady"))
        output:
          status:
            expression: |
              statuses.filter(s, s.conditions.exists(c, c.type == "ControlPlaneReady"))[0]
                .conditions.filter(c, c.type == "ControlPlaneReady")[0].status
          reason: { expression: 'resource.spec.size > 1.0 ? "Large" : "Small"' }
          message: { expression: '"generation " + string(resource.generation)' }
      - type: Fragile
        when: { expression: 'statuses.exists(s, s.adapter == "fragile")' }
        output:
          status: { expression: 'statuses.filter(s, s.adapter == "fragile")[0].data.answer' }
          reason: { expression: '"Answered"' }
          message: { expression: '""' }
`

const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-mapping-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The kinds of a server whose clusters have these rules. */
async function kindsWith(rules: string): Promise<readonly Kind[]> {
  const file = path.join(folder, 'fleet.yaml')
  await writeFile(file, `entities:\n  - kind: Cluster\n    conditions:${rules}`)
  return loadKindsFile(file, builtIn)
}

async function newCluster(server: TestServer): Promise<string> {
  const { body } = await server.post('/clusters', creation('Cluster'))
  return `/clusters/${body.id}`
}

async function shown(server: TestServer, item: string) {
  return conditionsOf((await server.get(item)).body)
}

describe('conditions mapped by CEL', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kinds: await kindsWith(RULES) })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const quota = (remaining: number) => report('gcp', { data: { quotaRemaining: remaining } })

  test('appear, sorted, after those of the adapters if a report meets their rule', async () => {
    const item = await newCluster(server)
    expect([...(await shown(server, item)).keys()]).not.toContain('QuotaSufficient')
    const conditions = [...report('hypershift').conditions, condition('True')]
    await server.post(`${item}/statuses`, report('hypershift', { conditions }))
    await server.post(`${item}/statuses`, quota(25))
    const after = await shown(server, item)
    expect([...after.keys()].slice(-4)).toEqual([
      'GcpSuccessful',
      'HypershiftSuccessful',
      'ControlPlaneReady',
      'QuotaSufficient',
    ])
    expect(after.get('QuotaSufficient')).toMatchObject({
      status: 'True',
      reason: 'QuotaRead',
      message: 'Remaining: 25',
      observed_generation: 1,
    })
    expect(after.get('ControlPlaneReady')).toMatchObject({
      status: 'True',
      reason: 'Small',
      message: 'generation 1',
    })
  })

  function condition(status: string) {
    return { type: 'ControlPlaneReady', status, reason: 'r', message: 'm' }
  }

  test('can depend on data alone, and keep their transition time until the status changes', async () => {
    const item = await newCluster(server)
    await server.post(`${item}/statuses`, quota(25))
    const first = (await shown(server, item)).get('QuotaSufficient')
    await server.post(`${item}/statuses`, quota(20))
    const second = (await shown(server, item)).get('QuotaSufficient')
    expect(second).toMatchObject({ status: 'True', message: 'Remaining: 20' })
    for (const time of ['created_time', 'last_transition_time']) {
      expect(second?.[time]).toBe(first?.[time])
    }
    const conditions = ['Available', 'Applied', 'Health'].map((type) => ({ type, status: 'True' }))
    const strict = { ...quota(5), conditions, observed_time: new Date().toISOString() }
    expect((await server.put(`${item}/statuses`, strict)).status).toBe(201)
    const third = (await shown(server, item)).get('QuotaSufficient')
    expect(third).toMatchObject({ status: 'False', message: 'Remaining: 5' })
    expect(third?.['created_time']).toBe(first?.['created_time'])
    expect(third?.['last_transition_time']).not.toBe(first?.['last_transition_time'])
  })

  test('can depend on reports without Available, and never receive an Unknown', async () => {
    const item = await newCluster(server)
    const only = (status: string) => report('hypershift', { conditions: [condition(status)] })
    await server.post(`${item}/statuses`, only('Unknown'))
    expect((await shown(server, item)).has('ControlPlaneReady')).toBe(false)
    await server.post(`${item}/statuses`, only('False'))
    expect((await shown(server, item)).get('ControlPlaneReady')?.status).toBe('False')
    await server.post(`${item}/statuses`, only('Unknown'))
    expect((await shown(server, item)).has('ControlPlaneReady')).toBe(false)
  })

  test('are evaluated again when the spec changes', async () => {
    const item = await newCluster(server)
    const conditions = [...report('hypershift').conditions, condition('True')]
    await server.post(`${item}/statuses`, report('hypershift', { conditions }))
    const { body } = await server.patch(item, { spec: { size: 5 } })
    expect(conditionsOf(body).get('ControlPlaneReady')).toMatchObject({
      status: 'True',
      reason: 'Large',
      message: 'generation 2',
      observed_generation: 2,
    })
  })

  test('do not change version or feed when a report is repeated', async () => {
    const item = await newCluster(server)
    await server.post(`${item}/statuses`, quota(25))
    const before = await server.get(item)
    for (let round = 0; round < 3; round += 1) {
      expect((await server.post(`${item}/statuses`, quota(25))).status).toBe(201)
    }
    const after = await server.get(item)
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
    expect(conditionsOf(after.body).get('QuotaSufficient')).toEqual(
      conditionsOf(before.body).get('QuotaSufficient'),
    )
  })

  test.each([
    ['a member that is missing', {}, 'The expression of status failed: no such key: answer'],
    ['another status', { answer: 'Maybe' }, "it must be True or False, found 'Maybe'"],
    ['a value that is no text', { answer: { a: 1 } }, 'it must be text, a number, true, false'],
  ])('that fail are False and say why, and the report is kept: %s', async (_what, data, why) => {
    const item = await newCluster(server)
    const answer = await server.post(`${item}/statuses`, report('fragile', { data }))
    expect(answer.status).toBe(201)
    expect((await shown(server, item)).get('Fragile')).toMatchObject({
      status: 'False',
      reason: 'ConditionMappingFailed',
      message: expect.stringContaining(why),
    })
    const statuses = await server.get(`${item}/statuses`)
    expect(statuses.body.items).toMatchObject([{ adapter: 'fragile', data }])
    await server.post(`${item}/statuses`, report('fragile', { data: { answer: 'true' } }))
    expect((await shown(server, item)).get('Fragile')).toMatchObject({
      status: 'True',
      reason: 'Answered',
    })
  })

  test('are searchable like others, and stay while the resource is being deleted', async () => {
    const item = await newCluster(server)
    await server.post(`${item}/statuses`, quota(1))
    const search = encodeURIComponent("status.conditions.QuotaSufficient='False'")
    const found = await server.get(`/clusters?search=${search}&pageSize=100`)
    expect(found.body.items.map(({ id }: { id: string }) => `/clusters/${id}`)).toContain(item)
    const deleted = await server.request('DELETE', item)
    expect(conditionsOf(deleted.body).get('QuotaSufficient')?.status).toBe('False')
  })

  test('are not lost when adapters report at the same time', async () => {
    const item = await newCluster(server)
    const reports = Array.from({ length: 20 }, (_, index) => report(`other-${index}`))
    const answers = await Promise.all(
      [...reports, quota(25), report('fragile', { data: { answer: 'True' } })].map((body) =>
        server.post(`${item}/statuses`, body),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const after = await shown(server, item)
    expect(after.get('QuotaSufficient')?.status).toBe('True')
    expect(after.get('Fragile')?.status).toBe('True')
  })
})

describe('conditions mapped by CEL with tenants', () => {
  test('receive the tenancy of their resource, and no report of another tenant', async () => {
    const rules = `
      - type: Reported
        when: { expression: 'true' }
        output:
          status: { expression: 'statuses.exists(s, s.adapter == "stranger")' }
          reason: { expression: '"Given"' }
          message: { expression: 'resource.tenancy.org' }
`
    await using server = await startTestServer({ env: TENANT_ENV, kinds: await kindsWith(rules) })
    const owner = callerWith(server, tenantHeaders('umbrella'))
    const { id } = await made(owner, '/clusters', creation('Cluster'))
    const statuses = `/clusters/${id}/statuses`
    const stranger = callerWith(server, tenantHeaders('acme'))
    expect((await stranger.post(statuses, report('stranger'))).status).toBe(404)
    await made(callerWith(server, SYSTEM_HEADERS), statuses, report('dns'))
    const { body } = await owner.get(`/clusters/${id}`)
    expect(conditionsOf(body).get('Reported')).toMatchObject({
      status: 'False',
      message: 'umbrella',
    })
  })
})

describe('a changed mapping after a restart', () => {
  test('applies with the next report on a resource', async () => {
    await using database = await createTestDatabase()
    const rule = (type: string, status: string) => `
      - type: ${type}
        when: { expression: 'true' }
        output:
          status: { expression: '"${status}"' }
          reason: { expression: '"Given"' }
          message: { expression: '""' }
`
    const start = async (rules: string) =>
      startTestServer({ kinds: await kindsWith(rules), databaseUrl: database.url })
    const mapped = ([type]: readonly [string, unknown]) => /^(One|Two)$/.test(type)
    const statusesOf = async (server: TestServer, item: string) =>
      [...(await shown(server, item))].filter(mapped).map(([type, { status }]) => [type, status])

    const first = await start(rule('One', 'True') + rule('Two', 'True'))
    const item = await newCluster(first)
    await first.post(`${item}/statuses`, report('validator'))
    expect(await statusesOf(first, item)).toEqual([
      ['One', 'True'],
      ['Two', 'True'],
    ])
    await first[Symbol.asyncDispose]()

    const second = await start(rule('Two', 'False'))
    expect(await statusesOf(second, item)).toHaveLength(2)
    await second.post(`${item}/statuses`, report('validator'))
    expect(await statusesOf(second, item)).toEqual([['Two', 'False']])
    await second[Symbol.asyncDispose]()

    await using third = await startTestServer({ databaseUrl: database.url })
    await third.post(`${item}/statuses`, report('validator'))
    expect(await statusesOf(third, item)).toEqual([])
  })
})
