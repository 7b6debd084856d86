import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../../../clients/typescript/src/index.ts'
import { startNode } from '../../process/program.ts'
import { newName } from '../../support/fixtures.ts'
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
client.statuses.report(cluster.id, { adapter: 'a', observed_generation: 1, conditions: [{ status: 'True' }] }).catch(() => 0)
// @ts-expect-error the generation of a report is required
client.statuses.create(cluster.id, { adapter: 'a', conditions: [] }).catch(() => 0)
export async function scoped(): Promise<number> {
  await using fleet = await client.ephemeralFleet({ replicas: 1 })
  await using claim = await fleet.claim({ wait: 1_000 })
  return claim.clusterID.length
}
`

/** Needs no global but those of the SDK. */
const MINIMAL = `
import { Client } from '@flotilla/client'

const client = new Client('http://127.0.0.1:8000')
export const names: string[] = []
for await (const { name } of client.clusters.search("labels.a='b'")) names.push(name)
`

let server: TestServer
let consumer: Consumer

const readPackage = (file: string): Promise<string> =>
  readFile(new URL(`../../../clients/typescript/${file}`, import.meta.url), 'utf8')

beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '[]', ROLE: 'all' } })
  consumer = await createConsumer({ 'surface.ts': SURFACE, 'minimal.ts': MINIMAL })
  await consumer.compile()
})
afterAll(async () => {
  await consumer[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('a strict consumer compiles and runs', async () => {
  const output = await consumer.run('surface.js', { SERVER: server.origin })
  expect(output).toBe('strict\n1\nHYPERFLEET-NTF-001\n0\nundefined\n')
})

describe('the example', () => {
  const run = (name: string, env: NodeJS.ProcessEnv = {}) =>
    consumer.run(`examples/${name}.js`, { SERVER: server.origin, ...env })

  test('quickstart prints the states of its members', async () => {
    const lines = (await run('quickstart')).trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^ephemeral-[0-9a-f]+-0000: \d+ items$/)
  })

  test('rollout claims, steps, scores and recycles its environments', async () => {
    const output = await run('rollout', { ENVIRONMENTS: '4', STEPS: '3' })
    expect(output).toContain('4 environments, 3 steps each, total reward 12')
    expect(output).toMatch(/\d+ steps per second/)
  })

  test('dashboard prints pages and follows changes', async () => {
    const client = new Client(server.origin)
    await client.clusters.create({ name: newName() })
    const output = await run('dashboard')
    expect(output).toMatch(/^page 1 of 1\n {2}\S+ +False\n/)
    expect(output).toMatch(/\d+ clusters in memory/)
  })

  test('adapter reconciles and finalizes in under 40 lines', async () => {
    const source = new URL('../../../clients/typescript/examples/adapter.ts', import.meta.url)
    expect((await readFile(source, 'utf8')).split('\n').length).toBeLessThan(40)
    const client = new Client(server.origin)
    const { id } = await client.clusters.create({ name: newName(), spec: { zone: 'a.example' } })
    await using adapter = startNode([path.join(consumer.folder, 'out/examples/adapter.js')], {
      SERVER: server.origin,
    })
    await client.clusters.waitFor(id, 'DnsSuccessful')
    expect(await client.statuses.list(id)).toMatchObject([{ data: { zone: 'a.example' } }])
    await expect.poll(() => adapter.output()).toContain('ZoneServed')
    adapter.kill('SIGTERM')
    expect(await adapter.exited).toBe(0)
  })
})

describe('the types compile without skipLibCheck on the documented lib', () => {
  const resolutions = [
    ['nodenext', 'nodenext'],
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ] as const

  test.each(resolutions)('with the module %s and the resolution %s', async (module, resolution) => {
    const [forPages, forNode] = await documentedLibs()
    const options = { target: 'es2022', module, moduleResolution: resolution }
    await consumer.checkTypes('minimal.ts', { ...options, lib: forPages, types: [] })
    await consumer.checkTypes('minimal.ts', { ...options, lib: forNode, types: ['node'] })
  })

  /** The README's values of `lib`: for pages, and for Node with `@types/node`. */
  async function documentedLibs(): Promise<readonly [string[], string[]]> {
    const found = [...(await readPackage('README.md')).matchAll(/`"lib": (\[.*?\])`/g)]
    expect(found).toHaveLength(2)
    return [JSON.parse(found[0]?.[1] ?? ''), JSON.parse(found[1]?.[1] ?? '')]
  }
})

test('the tarball contains the build and no sources or tests', () => {
  expect(consumer.files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']),
  )
  expect(consumer.files.filter((file) => !/^(dist|LICENSE|README|package)/.test(file))).toEqual([])
})

test('the README starts with the example quickstart.ts', async () => {
  const [, block] = /```ts\n(.*?)```/s.exec(await readPackage('README.md')) ?? []
  expect(block).toBe(await readPackage('examples/quickstart.ts'))
})

test('the version is that of the server', async () => {
  const versionIn = async (folder: string): Promise<unknown> => {
    const url = new URL(`../../../${folder}package.json`, import.meta.url)
    return JSON.parse(await readFile(url, 'utf8')).version
  }
  expect(await versionIn('clients/typescript/')).toBe(await versionIn(''))
})
