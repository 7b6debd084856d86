import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Consumer, createConsumer } from './consumer.ts'

/** Uses every part of the surface with the types that a strict consumer expects. */
const SURFACE = `
import { ApiError, Client, type Cluster, type FleetMember, NotFound } from '@flotilla/client'

const optional: string | undefined = process.env['ABSENT']
const client = new Client(process.env['SERVER'] ?? '', { token: optional, timeout: 5_000 })
const cluster: Cluster = await client.clusters.create({ name: 'strict', labels: { a: 'b' } })
const names: string[] = []
for await (const { name } of client.clusters.search("labels.a='b'", { orderBy: optional })) {
  names.push(name)
}
console.log(names.join())
const snapshot = await client.plane(cluster.id).state({ resource: 'clusters' })
console.log(snapshot.byResource('clusters')?.itemCount)
try {
  await client.clusters.get('unknown')
} catch (error) {
  console.log(error instanceof NotFound && error instanceof ApiError && error.code)
}
const members: readonly FleetMember[] = []
console.log(members.length)
// @ts-expect-error a cluster has no such field
console.log(cluster.nonsense)
// @ts-expect-error the type of a condition is required
client.statuses.report(cluster.id, { adapter: 'a', conditions: [{ status: 'True' }] }).catch(() => 0)
export async function scoped(): Promise<number> {
  await using fleet = await client.ephemeralFleet({ replicas: 1 })
  await using claim = await fleet.claim({ wait: 1_000 })
  return claim.clusterID.length
}
`

let server: TestServer
let consumer: Consumer

beforeAll(async () => {
  server = await startTestServer()
  consumer = await createConsumer({ 'surface.ts': SURFACE })
}, 180_000)
afterAll(async () => {
  await consumer[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('a strict consumer compiles and runs', { timeout: 120_000 }, async () => {
  await consumer.compile()
  const output = await consumer.run('surface.js', { SERVER: server.origin })
  expect(output).toBe('strict\n1\nHYPERFLEET-NTF-001\n0\nundefined\n')
})

test('the tarball contains the build and no sources or tests', () => {
  expect(consumer.files).toEqual(
    expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts']),
  )
  expect(consumer.files.filter((file) => !/^(dist|README|package)/.test(file))).toEqual([])
})

test('the README starts with the example quickstart.ts', async () => {
  const read = (file: string) =>
    readFile(new URL(`../../../clients/typescript/${file}`, import.meta.url), 'utf8')
  const [, block] = /```ts\n(.*?)```/s.exec(await read('README.md')) ?? []
  expect(block).toBe(await read('examples/quickstart.ts'))
})

test('the version is that of the server', async () => {
  const versionIn = async (folder: string): Promise<unknown> => {
    const url = new URL(`../../../${folder}package.json`, import.meta.url)
    return JSON.parse(await readFile(url, 'utf8')).version
  }
  expect(await versionIn('clients/typescript/')).toBe(await versionIn(''))
})
