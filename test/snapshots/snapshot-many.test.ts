import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { newName } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { createTree, linesOf, snapshotOf, statementCounts } from './snapshot-requests.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
const trees: { readonly id: string; readonly name: string }[] = []

beforeAll(async () => {
  server = await startTestServer()
  for (let index = 0; index < 12; index += 1) {
    const name = newName()
    trees.push({ name, ...(await createTree(server, name, index % 3 === 0 ? ['pool-a'] : [])) })
  }
})
afterAll(() => server[Symbol.asyncDispose]())

describe('many snapshots', () => {
  test('come in the order of the ids or names, one per line, and equal single snapshots', async () => {
    const wanted = trees.toReversed().map(({ id, name }, index) => (index % 2 === 0 ? id : name))
    const { status, type, text, lines } = await linesOf(server, { ids: wanted })
    expect(status).toBe(200)
    expect(type).toBe('application/x-ndjson; charset=utf-8')
    expect(text.endsWith('}\n')).toBe(true)
    expect(lines.map(({ cluster }) => cluster)).toEqual(wanted)
    expect(lines.map(({ id }) => id)).toEqual(trees.toReversed().map(({ id }) => id))
    for (const line of lines) {
      const { body } = await snapshotOf(server, line.cluster)
      expect({ ...line, snapshotTime: '' }).toEqual({ ...body, snapshotTime: '' })
    }
  })

  test('have an error for each missing id', async () => {
    const [first, second] = trees
    const { lines } = await linesOf(server, { ids: [first?.id, 'nowhere', second?.id] })
    expect(lines[0].cluster).toBe(first?.id)
    expect(lines[1]).toEqual({
      cluster: 'nowhere',
      error: expect.objectContaining({ status: 404, code: 'HYPERFLEET-NTF-001' }),
    })
    expect(lines[2].cluster).toBe(second?.id)
  })

  test('are of the matches of a search, in the order of ids', async () => {
    const { lines } = await linesOf(server, {
      search: `labels.tree in ('${trees[3]?.name}', '${trees[1]?.name}')`,
      resource: ['clusters'],
    })
    expect(lines.map(({ cluster }) => cluster)).toEqual([trees[1]?.id, trees[3]?.id])
    expect(lines[0].resources.map(({ resource }: { resource: string }) => resource)).toEqual([
      'clusters',
    ])
    expect((await linesOf(server, { search: "name = 'nowhere'" })).text).toBe('')
    expect((await linesOf(server, { search: '' })).lines).toHaveLength(trees.length)
  })

  test('have the requested parts, and empty ones on request', async () => {
    const { lines } = await linesOf(server, {
      ids: [trees[1]?.id],
      resource: 'nodepools,statuses',
      includeEmpty: true,
      minResourceVersion: 'latest',
    })
    const [{ resources }] = lines
    expect(resources.map(({ resource }: { resource: string }) => resource)).toEqual([
      'nodepools',
      'statuses',
    ])
  })

  test('include the objects of planes', async () => {
    const [first, second] = trees
    const path = `/clusters/${first?.id}/control-plane/api/v1/namespaces/default/configmaps`
    const written = await fetch(server.origin + path, {
      method: 'POST',
      body: JSON.stringify({ metadata: { name: 'settings' } }),
      headers: JSON_TYPE,
    })
    expect(written.status).toBe(201)
    const ids = [first?.name, second?.id]
    const { lines } = await linesOf(server, { ids, resource: ['configmaps', 'clusters'] })
    const partsOf = (line: { readonly resources: readonly { readonly resource: string }[] }) =>
      line.resources.map(({ resource }) => resource)
    expect(lines.map(partsOf)).toEqual([['clusters', 'configmaps'], ['clusters']])
    expect(lines[0].resources[1].items[0].metadata.name).toBe('settings')
    const all = await linesOf(server, { search: `name = '${first?.name}'` })
    expect(partsOf(all.lines[0])).toContain('configmaps')
    const strict = await linesOf(server, { ids, resource: 'pods,clusters', strict: true })
    expect(strict.lines[0].error).toMatchObject({ status: 400 })
    expect((await linesOf(server, { ids, resource: 'pods' })).lines[0].resources).toEqual([])
  })

  test.each([
    [{}, 'either ids or search'],
    [{ ids: ['a'], search: '' }, 'either ids or search'],
    [{ ids: [] }, 'ids'],
    [{ ids: Array.from({ length: 1001 }, () => 'a') }, 'ids'],
    [{ ids: [7] }, 'ids[0]'],
    [{ ids: ['a'], minResourceVersion: 'x' }, 'minResourceVersion'],
    [{ ids: ['a'], kind: 'NodePool' }, 'NodePool'],
    [{ ids: ['a'], clusters: true }, 'clusters'],
  ])('reject %j', async (body, detail) => {
    const answer = await server.post('/snapshots', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
    expect(answer.body.detail).toContain(detail)
  })

  test('reject an invalid search with its position', async () => {
    const answer = await server.post('/snapshots', { search: 'name = ' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-005' } })
    expect(answer.body.errors[0]).toHaveProperty('position')
  })

  test('stop when the caller disconnects', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => trees[index % trees.length]?.id)
    await new Promise<void>((resolve) => {
      const request = http.request(
        `${server.origin}${BASE_PATH}/snapshots`,
        { method: 'POST', headers: JSON_TYPE },
        (response) => {
          response.once('data', () => response.destroy())
          response.once('close', resolve)
        },
      )
      request.end(JSON.stringify({ ids }))
    })
    expect((await server.get('/clusters?pageSize=1')).status).toBe(200)
  })

  test('can be 1000 in one response, and read each cluster once', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => trees[index % trees.length]?.id)
    await linesOf(server, { ids })
    const before = (await statementCounts(server)).get('read_subtree')
    const { lines } = await linesOf(server, { ids })
    expect(lines.map(({ cluster }) => cluster)).toEqual(ids)
    expect((await statementCounts(server)).get('read_subtree')).toBe(before)
  })
})

test('a search for more than 1000 clusters is rejected with advice', async () => {
  await using crowd = await startTestServer()
  for (let start = 0; start < 1001; start += 91) {
    await Promise.all(
      Array.from({ length: 91 }, (_, index) =>
        crowd.post('/clusters', { kind: 'Cluster', name: `crowd-${start + index}`, spec: {} }),
      ),
    )
  }
  const answer = await crowd.post('/snapshots', { search: "name > 'a'" })
  expect(answer.status).toBe(400)
  const all = await crowd.get('/clusters?pageSize=1')
  expect(all.body.total).toBe(1001)
  const refused = await crowd.post('/snapshots', { search: '' })
  expect(refused.body.detail).toContain('search finds more than 1000 clusters: narrow it')
})
