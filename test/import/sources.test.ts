import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportResources } from '../../src/import/export-resources.ts'
import { importResources } from '../../src/import/import-resources.ts'
import { openApiSource } from '../../src/import/open-api-source.ts'
import { openFileSource } from '../../src/import/open-file-source.ts'
import { must } from '../../src/lib/assert.ts'
import type { JsonObject } from '../../src/lib/json/json.ts'
import { objectOf, textOf } from '../../src/lib/json/json-fields.ts'
import type { Finding } from '../../src/import/finding.ts'
import type { Changes, Source } from '../../src/import/source.ts'
import { openDatabaseSource } from '../../src/import/storage/open-database-source.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { loadRegistry } from '../../src/cmd/create-foundation.ts'
import type { Database } from '../../src/store/database/database.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startEmulatedApi } from './emulated-api.ts'
import { recordedDatabase, recordedResponses, UNKNOWN_CONDITIONS, VERSIONS } from './recorded.ts'

const registry = await loadRegistry({ openapiSchemaPath: null, requiredAdapters: new Map() }, kinds)

async function importFrom(source: Source, database: Database, mode: 'insert' | 'verify') {
  const findings: Finding[] = []
  const onFinding = (finding: Finding): number => findings.push(finding)
  const totals = await importResources(
    { database, source, registry },
    { mode, dimensions: [], onFinding },
  )
  return { totals, findings }
}

async function exported(database: Database): Promise<readonly string[]> {
  const lines: string[] = []
  await exportResources(database, { registry, family: 'both' }, async (resource) => {
    lines.push(JSON.stringify(resource))
  })
  return lines
}

describe.each(VERSIONS)('the API of %s', (version) => {
  test('yields the same resources as its database, and so does an export', async ({ expect }) => {
    await using api = await startEmulatedApi(version)
    await using recorded = await recordedDatabase(version)
    await using target = await createTestDatabase()
    await using database = openTestDatabase(target.url)
    await using source = openApiSource({ ...api, pauseMs: 1 })
    const { totals, findings } = await importFrom(source, database, 'insert')
    expect([findings, totals.written]).toEqual([UNKNOWN_CONDITIONS[version], 48])
    await using original = await openDatabaseSource(recorded.url)
    const verified = await importFrom(original, database, 'verify')
    expect([verified.findings, verified.totals.same]).toEqual([[], 48])

    const lines = await exported(database)
    const folder = mkdtempSync(path.join(os.tmpdir(), 'export-'))
    const file = path.join(folder, 'export.jsonl')
    writeFileSync(file, `${lines.join('\n')}\n`)
    await using copy = await createTestDatabase()
    await using copied = openTestDatabase(copy.url)
    await using exportSource = openFileSource(file)
    expect((await importFrom(exportSource, copied, 'insert')).findings).toEqual(
      UNKNOWN_CONDITIONS[version],
    )
    rmSync(folder, { recursive: true })
    expect(await exported(copied)).toEqual(lines)
  })
})

test.each(VERSIONS)(
  'a pass over the API of %s reads the reports on what changed',
  async (version) => {
    await using api = await startEmulatedApi(version)
    await using source = openApiSource({ ...api, pauseMs: 1 })
    async function pass(changes: Changes | null) {
      api.requests.length = 0
      const ids: string[] = []
      for (const kind of ['Cluster', 'NodePool']) {
        for await (const page of source.pages(registry.byName(kind), changes)) {
          ids.push(...page.map(({ id }) => textOf(id)))
        }
      }
      return { ids, reports: api.requests.filter((path) => path.includes('/statuses?')).length }
    }
    const change = (path: string, member: JsonObject): unknown =>
      api.bodies.set(path, { ...objectOf(api.bodies.get(path)), ...member })

    // Lists of reports longer than a page of the server need a second request.
    const { ids, reports } = await pass(null)
    expect([ids.length, reports > 48]).toEqual([48, true])
    const changes = { since: new Date(), accepted: new Set(ids) }
    expect(await pass(changes)).toEqual({ ids: [], reports: 0 })

    // A report changes the conditions of its resource, and not always its time.
    const [path, { id = null }] = must(
      [...api.bodies].find(([key]) => /\/nodepools\/[^/]+$/.test(key)),
      'a node pool',
    )
    change(path, { status: { conditions: [] } })
    const isRead = { ids: [id], reports: expect.toBeOneOf([1, 2]) }
    expect(await pass(changes)).toEqual(isRead)
    expect(await pass(changes)).toEqual({ ids: [], reports: 0 })

    // The parent of a pool that was not accepted may have been accepted since.
    changes.accepted.delete(textOf(id))
    expect(await pass(changes)).toEqual(isRead)
    expect((await pass(null)).ids).toHaveLength(48)
  },
)

test('a rejected token ends the import with the response of the server', async () => {
  await using api = await startEmulatedApi('main')
  await using target = await createTestDatabase()
  await using database = openTestDatabase(target.url)
  const source = openApiSource({ url: api.url, token: null })
  await expect(importFrom(source, database, 'insert')).rejects.toThrow(
    'the server answered 401: {"code":"HYPERFLEET-AUT-001"}',
  )
})

test.each(['', '/api/hyperfleet/v1/'])('an API is read below a path with %j', async (end) => {
  await using api = await startEmulatedApi('main', '/team-a')
  await using target = await createTestDatabase()
  await using database = openTestDatabase(target.url)
  const { url, token } = api
  await using source = openApiSource({ url: `${url}/team-a${end}`, token, pauseMs: 1 })
  expect(source.title).toBe(`HyperFleet API at ${url}/team-a`)
  expect((await importFrom(source, database, 'insert')).totals.written).toBe(48)
})

test('the children of many parents are one page', async () => {
  await using api = await startEmulatedApi('main')
  await using source = openApiSource({ ...api, pauseMs: 1 })
  const sizes: number[] = []
  for (const kind of ['Cluster', 'NodePool']) {
    sizes.length = 0
    for await (const page of source.pages(registry.byName(kind), null)) sizes.push(page.length)
  }
  const pools = recordedResponses('main').filter(({ path }) => /\/nodepools\/[^/]+$/.test(path))
  expect(sizes).toEqual([pools.length])
})

test('a server without a list of clusters is no empty source', async () => {
  await using api = await startEmulatedApi('main', '/team-a')
  await using target = await createTestDatabase()
  await using database = openTestDatabase(target.url)
  const source = openApiSource({ ...api, pauseMs: 1 })
  await expect(importFrom(source, database, 'insert')).rejects.toThrow(
    `no HyperFleet API at ${api.url}: its list of clusters is 404`,
  )
})

test('a page or a list of reports that is not found is not empty', async () => {
  await using api = await startEmulatedApi('main')
  await using target = await createTestDatabase()
  await using database = openTestDatabase(target.url)
  await using source = openApiSource({ ...api, pauseMs: 1 })
  api.hidden.push(/\/clusters\?page=2/)
  await expect(importFrom(source, database, 'insert')).rejects.toThrow(
    'GET /api/hyperfleet/v1/clusters: the server answered 404',
  )
  api.hidden.splice(0, 1, /\/nodepools\/.*\/statuses/)
  // A kind may have no reports, but not lose them.
  expect((await importFrom(source, database, 'insert')).totals.skipped).toBe(0)
  api.hidden.length = 0
  await importFrom(source, database, 'insert')
  api.hidden.push(/\/nodepools\/.*\/statuses/)
  await expect(importFrom(source, database, 'verify')).rejects.toThrow(
    /^GET .*\/statuses: the server answered 404$/,
  )
})

test('resources that are removed while they are read are left out', async () => {
  await using api = await startEmulatedApi('main')
  await using source = openApiSource({ ...api, pauseMs: 1 })
  const resources = [...api.bodies.keys()].filter((path) => !path.endsWith('/statuses'))
  const gone = must(resources[0], 'a cluster')
  const clusters = registry.byName('Cluster')
  // The list still has it, but neither its reports nor itself.
  api.hidden.push(new RegExp(gone))
  let read = 0
  for await (const page of source.pages(clusters, null)) read += page.length
  for await (const page of source.pages(registry.byName('NodePool'), null)) read += page.length
  expect(read).toBe(resources.filter((path) => !path.startsWith(gone)).length)
})

test('an import names the kinds that the source has no list of', async () => {
  await using api = await startEmulatedApi('main')
  await using target = await createTestDatabase()
  await using database = openTestDatabase(target.url)
  await using source = openApiSource({ ...api, pauseMs: 1 })
  api.hidden.push(/\/nodepools\?/)
  const { findings, totals } = await importFrom(source, database, 'insert')
  expect([findings, totals.written]).toEqual([
    [{ effect: 'skipped', kind: 'NodePool', id: '', text: 'the source has no list of nodepools' }],
    24,
  ])
})
