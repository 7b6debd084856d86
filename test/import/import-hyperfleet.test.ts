import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importResources, type ImportOptions } from '../../src/import/import-resources.ts'
import type { Finding } from '../../src/import/finding.ts'
import type { Totals } from '../../src/import/import-page.ts'
import { openDatabaseSource } from '../../src/import/storage/open-database-source.ts'
import { startProgram } from '../process/program.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { proofSize } from '../support/proof-size.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { comparable } from './compare-responses.ts'
import {
  query,
  recordedDatabase,
  recordedResponses,
  UNKNOWN_CONDITIONS,
  type Version,
  VERSIONS,
} from './recorded.ts'
import { openSourceTables } from './source-tables.ts'

/** For each version. */
const SEARCHES = proofSize(500)

let servers: Readonly<Record<Version, TestServer>>
let sources: Readonly<Record<Version, TestDatabase>>

beforeAll(async () => {
  servers = {
    // The document of the API does not have the status Unknown of v0.1.
    'v0.1.1': await startTestServer({ config: { verifyOpenapi: false } }),
    main: await startTestServer(),
  }
  sources = { 'v0.1.1': await recordedDatabase('v0.1.1'), main: await recordedDatabase('main') }
})

afterAll(async () => {
  for (const version of VERSIONS) {
    await servers[version][Symbol.asyncDispose]()
    await sources[version][Symbol.asyncDispose]()
  }
})

async function importInto(
  version: Version,
  mode: ImportOptions['mode'],
): Promise<{ readonly totals: Totals; readonly findings: readonly Finding[] }> {
  const server = servers[version]
  await using source = await openDatabaseSource(sources[version].url)
  await using database = openTestDatabase(server.databaseUrl)
  const findings: Finding[] = []
  const { registry } = server
  const totals = await importResources(
    { database, source, registry },
    { mode, dimensions: [], onFinding: (finding) => findings.push(finding) },
  )
  return { totals, findings }
}

describe.each(VERSIONS)('an import of %s', (version) => {
  const responses = recordedResponses(version)

  test('writes nothing in a dry run', async () => {
    const { totals, findings } = await importInto(version, 'dry-run')
    expect(findings).toEqual(UNKNOWN_CONDITIONS[version])
    const { totals: verified } = await importInto(version, 'verify')
    expect(verified).toMatchObject({ same: 0, different: totals.written })
  })

  test('finds nothing to do after the first time', async () => {
    const { totals, findings } = await importInto(version, 'insert')
    expect(findings).toEqual(UNKNOWN_CONDITIONS[version])
    expect(totals).toMatchObject({ written: totals.read, skipped: 0 })
    const repeated = await importInto(version, 'insert')
    expect(repeated.totals).toMatchObject({ written: 0, same: totals.read })
    expect((await importInto(version, 'verify')).findings).toEqual([])
  })

  test('verifies by command, which exits with 0 if both sides are equal', async () => {
    const from = ['import', 'hyperfleet', '--from', sources[version].url, '--verify']
    await using program = startProgram({ DATABASE_URL: servers[version].databaseUrl }, from)
    expect([await program.exited, program.output()]).toEqual([0, ''])
    expect(program.errors()).toMatch(/Compared 48: 48 are the same, 0 differ\n$/)
  })

  test('answers the same requests with the same bodies', async () => {
    expect(responses).toHaveLength(121)
    for (const { path, body } of responses) {
      const response = await servers[version].request('GET', path)
      const [answered, expected] = comparable(response.body, body)
      expect([path, response.status, answered]).toEqual([path, 200, expected])
    }
  })

  test('answers random searches with the resources that its tables yield', async () => {
    await using tables = await openSourceTables(sources[version].url, version)
    const lists = { empty: 0, short: 0, long: 0 }
    await fc.assert(
      fc.asyncProperty(tables.requests, async (request) => {
        const found = await tables.select(request)
        const { path, search, page, size } = request
        const parameters = new URLSearchParams({
          search,
          page: String(page),
          pageSize: String(size),
        })
        const response = await servers[version].get(`${path}?${parameters.toString()}`)
        const items = found.slice((page - 1) * size, page * size)
        const body = { items, page, size: items.length, total: found.length }
        const [answered, expected] = comparable(response.body, body)
        expect([path, search, answered]).toEqual([path, search, expected])
        lists[found.length === 0 ? 'empty' : found.length < 6 ? 'short' : 'long'] += 1
      }),
      { numRuns: SEARCHES, seed: 2026 },
    )
    expect(Math.min(...Object.values(lists))).toBeGreaterThan(SEARCHES / 20)
  })
})

describe('an imported resource', () => {
  let server: TestServer
  beforeAll(() => {
    server = servers.main
  })

  test('is found by its labels, its conditions and its name', async () => {
    const { body } = await server.get('/clusters?size=100')
    const cluster = body.items.find((item: { labels: object }) => 'environment' in item.labels)
    const ready = cluster.status.conditions.find(({ type }: { type: string }) => type === 'Ready')
    const search = `name = '${cluster.name}' and labels.environment = '${cluster.labels.environment}' and status.conditions.Ready = '${ready.status}'`
    const found = await server.get(`/clusters?search=${encodeURIComponent(search)}`)
    expect(found.body.items).toEqual([cluster])
  })

  test('finishes its deletion when its adapters report Finalized', async () => {
    const { body } = await server.get('/nodepools?size=100')
    const pool = body.items.find((item: object) => 'deleted_time' in item)
    for (const adapter of ['validator', 'hypershift']) {
      const response = await server.put(`/nodepools/${pool.id}/statuses`, {
        adapter,
        observed_generation: pool.generation,
        observed_time: new Date().toISOString(),
        conditions: ['Applied', 'Available', 'Health', 'Finalized'].map((type) => ({
          type,
          status: 'True',
          reason: 'R',
          message: 'm',
        })),
      })
      expect([response.status, response.text]).toEqual([
        expect.toBeOneOf([200, 201]),
        response.text,
      ])
    }
    expect((await server.get(`/nodepools/${pool.id}`)).status).toBe(404)
  })

  test('is replaced only on request when the source has changed', async () => {
    const source = sources.main.url
    const [changed] = await query(
      source,
      `update resources set spec = '{"region": "moved"}', generation = generation + 1
       where kind = 'Cluster' and deleted_time is null
         and id = (select min(id) from resources where kind = 'Cluster' and deleted_time is null)
       returning id`,
    )
    const { id } = changed as { id: string }
    const kept = await importInto('main', 'insert')
    expect(kept.findings).toContainEqual({
      effect: 'differs',
      kind: 'Cluster',
      id,
      text: expect.stringContaining('generation, spec'),
    })
    const before = await server.get(`/clusters/${id}`)
    expect(before.body.spec).not.toEqual({ region: 'moved' })
    await importInto('main', 'replace')
    const after = await server.get(`/clusters/${id}`)
    expect(after.body).toMatchObject({
      generation: before.body.generation + 1,
      spec: { region: 'moved' },
    })
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  })

  test('is skipped with the reason if it does not fit', async () => {
    const source = sources.main.url
    await query(
      source,
      `insert into resources (id, kind, name, created_by, updated_by, spec, owner_id, owner_kind)
       values ('u1', 'Unknown', 'u1', 'a', 'a', '{}', null, null),
         ('c1', 'Cluster', 'X', 'a', 'a', '{}', null, null),
         ('c2', 'Cluster', 'c2', 'a', 'a', '[]', null, null),
         ('n1', 'NodePool', 'n1', 'a', 'a', '{}', 'c2', 'Cluster');
       insert into resource_references values ('c1', 'wif', 'c2', 'Cluster');
       insert into resource_conditions (resource_id, type, status) values ('c1', 'Odd', 'True');
       insert into adapter_statuses (id, resource_type, resource_id, adapter, observed_generation, conditions)
       values ('s1', 'Cluster', 'gone', 'dns', 1, '[]')`,
    )
    const { findings } = await importInto('main', 'dry-run')
    const lines = findings.map(({ effect, kind, id, text }) => `${effect} ${kind} ${id}: ${text}`)
    expect(lines).toEqual(
      expect.arrayContaining([
        'skipped Unknown : 1 resources: this server has no such kind, declare it in FLOTILLA_CONFIG',
        'skipped Cluster : 1 reports belong to resources that do not exist',
        "kept Cluster c1: its name 'X' is not valid in a new resource",
        "changed Cluster c1: its references of type 'wif' are left out: the kind has none",
        'kept Cluster c1: its condition Odd goes with the next report: no adapter or rule makes it',
        'skipped Cluster c2: its spec is not an object',
        'skipped NodePool n1: its Cluster c2 is not imported',
      ]),
    )
  })
})

test('a database without tables of HyperFleet is rejected', async () => {
  await expect(openDatabaseSource(servers.main.databaseUrl)).rejects.toThrow(
    'the source has no tables of HyperFleet',
  )
})
