import { afterAll, beforeAll, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { type Program, startProgram } from '../process/program.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** A server as in production, without the validation of responses in other tests. */
let program: Program
let database: TestDatabase
let origin = ''

beforeAll(async () => {
  database = await createTestDatabase()
  program = startProgram({ DATABASE_URL: database.url })
  origin = `http://127.0.0.1:${(await program.ready()).port}`
})
afterAll(async () => {
  await program[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Lengths in headers are those of the JSON only without a compression. */
const WHOLE = { 'Accept-Encoding': 'identity' }

const post = async (path: string, body: object) => {
  const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) }
  return fetch(origin + BASE_PATH + path, init)
}

test('a snapshot has the same bytes on both paths and among many, except for its time and the cluster as named', async () => {
  const text = 'Zürich \u{1f680} " \\ \n'
  const created = await post('/clusters', {
    kind: 'Cluster',
    name: 'bytes',
    spec: { text, big: 123_456_789_012_345, list: [1.5, null, true] },
  })
  const { id, spec }: { id: string; spec: unknown } = JSON.parse(await created.text())
  const targets = [
    { cluster: id, target: `/clusters/${id}/control-plane/snapshot` },
    { cluster: 'bytes', target: `/clusters/bytes/control-plane/snapshot` },
    { cluster: id, target: `${BASE_PATH}/clusters/${id}/snapshot` },
  ]
  const bodies: string[] = []
  await (await fetch(`${origin}/clusters/${id}/control-plane/snapshot?warm=true`)).text()
  for (const { cluster, target } of targets) {
    const answer = await fetch(origin + target, { headers: WHOLE })
    expect(answer.headers.get('content-type')).toBe('application/json')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    const body = bytes.toString()
    expect(JSON.parse(body).resources[0].items[0].spec).toEqual(spec)
    expect(JSON.parse(body)).toMatchObject({ cluster, id })
    expect(JSON.parse(body).snapshotTime).toBe(answer.headers.get('x-snapshot-time'))
    bodies.push(body)

    const head = await fetch(origin + target, { method: 'HEAD', headers: WHOLE })
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
    expect(await head.text()).toBe('')
    const etag = answer.headers.get('etag') ?? ''
    const known = await fetch(origin + target, { headers: { 'If-None-Match': etag } })
    expect(known.status).toBe(304)
  }
  const many = await (await post('/snapshots', { ids: [id] })).text()
  expect(many.endsWith('\n')).toBe(true)
  bodies.push(many.slice(0, -1))
  const still = (body: string) =>
    body.replace(/"snapshotTime":"[^"]+"/, '').replace('"cluster":"bytes"', `"cluster":"${id}"`)
  expect(new Set(bodies.map(still)).size).toBe(1)
})

test.each([
  ['includeEmpty=yes', 'includeEmpty'],
  ['warm=', 'warm'],
  ['warm=true&warm=false', 'warm'],
  ['watch=1', 'watch'],
  ['minResourceVersion=1', 'minResourceVersion'],
])('?%s is rejected without the validator of the OpenAPI document', async (query, field) => {
  for (const path of ['/clusters/x/control-plane/snapshot', `${BASE_PATH}/clusters/x/snapshot`]) {
    const answer = await fetch(`${origin}${path}?${query}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'HYPERFLEET-VAL-000', errors: [{ field }] })
  }
})

test('an unknown resource is rejected below the base path only, without the validator', async () => {
  const answer = await fetch(`${origin}${BASE_PATH}/clusters/x/snapshot?resource=pods`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ errors: [{ field: 'resource' }] })
})
