import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiObject } from '../../../src/planes/model/api-object.ts'
import { createHttpFleetClient } from '../../../src/planes/controllers/client/http/http-fleet-client.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { startInformer } from '../../../src/planes/controllers/runtime/informer.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { type Program, startProgram } from '../../process/program.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

const MAPS = { group: '', version: 'v1', plural: 'configmaps' }
const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
}

let database: TestDatabase
let programs: readonly [Program, Program]
let origins: readonly [string, string]

beforeAll(async () => {
  database = await createTestDatabase()
  const env = { DATABASE_URL: database.url }
  programs = [startProgram(env), startProgram(env)]
  const [first, second] = await Promise.all(programs.map((program) => program.ready()))
  origins = [`http://127.0.0.1:${first?.port}`, `http://127.0.0.1:${second?.port}`]
})
afterAll(async () => {
  for (const program of programs) await program[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** A client of the root plane; the server may change between requests. */
function clientOf(server: () => string): PlaneClient {
  return createHttpFleetClient({
    get server() {
      return server()
    },
    userAgent: 'test',
    planes: [],
    onError: () => undefined,
  }).plane('root')
}

function map(name: string, data: Record<string, string> = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name }, data }
}

test('R36: a definition that one server creates is served by the other one', async () => {
  const [first, second] = origins
  const widgets = { group: 'example.com', version: 'v1', plural: 'widgets' }
  const creator = clientOf(() => first)
  const reader = clientOf(() => second)
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  await creator.create(DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  })
  const served = async () => (await reader.resources()).map(({ plural }) => plural)
  await expect.poll(served).toContain('widgets')
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { namespace: 'default', name: 'a' },
  }
  const created = await reader.create(widgets, widget)
  expect(await creator.get(widgets, { namespace: 'default', name: 'a' })).toEqual(created)
})

function informed(name: string): ApiObject {
  const { metadata, ...rest } = map(name, { step: '1' })
  return {
    ...rest,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, labels: { informed: '' } },
  }
}

test('R7: 20 clients of two servers change one object, and no change is lost', async () => {
  const clients = Array.from({ length: 20 }, (_, index) => clientOf(() => origins[index % 2] ?? ''))
  const [first] = clients
  await first?.create(MAPS, map('counter', { count: '0' }))
  let conflicts = 0
  const increment = async (client: PlaneClient): Promise<void> => {
    for (;;) {
      const read = await client.get(MAPS, { namespace: 'default', name: 'counter' })
      const { count } = Object(read['data'])
      try {
        await client.update(MAPS, { ...read, data: { count: String(Number(count) + 1) } })
        return
      } catch (error) {
        expect(error).toMatchObject({ code: 409, statusReason: 'Conflict' })
        conflicts += 1
      }
    }
  }
  await Promise.all(clients.map((client) => increment(client)))
  const counter = await first?.get(MAPS, { namespace: 'default', name: 'counter' })
  expect(counter).toMatchObject({ data: { count: '20' } })
  expect(conflicts).toBeGreaterThan(0)
})

test('R16: informers continue on the other server after a kill, and miss nothing', async () => {
  const [first, second] = origins
  let current = first
  const writer = clientOf(() => second)
  const seen = new Map<string, string[]>()
  const note = (object: ApiObject, change: string): void => {
    const name = object.metadata.name ?? ''
    seen.set(name, [...(seen.get(name) ?? []), change])
  }
  await using informer = startInformer({
    client: clientOf(() => current),
    resource: MAPS,
    selection: { namespace: 'default', labelSelector: 'informed' },
    timers: systemTimers,
    random: Math.random,
    backoff: { baseMs: 10, maxMs: 200 },
    onChange: (change) => {
      const { object } = change
      note(object, change.type === 'deleted' ? 'deleted' : JSON.stringify(object['data']))
    },
    onError: () => undefined,
  })
  await informer.synced
  const expected = new Map<string, string[]>()
  for (let index = 0; index < 60; index += 1) {
    if (index === 20) {
      programs[0].kill('SIGKILL')
      current = second
    }
    const name = `m${index}`
    const created = await writer.create(MAPS, informed(name))
    await writer.update(MAPS, { ...created, data: { step: '2' } })
    const history = ['{"step":"1"}', '{"step":"2"}']
    if (index % 3 === 0) {
      await writer.delete(MAPS, { namespace: 'default', name })
      history.push('deleted')
    }
    expected.set(name, history)
  }
  await expect.poll(() => seen.size).toBe(60)
  await expect.poll(() => Object.fromEntries(seen)).toEqual(Object.fromEntries(expected))
  expect(informer.objects).toHaveLength(40)
})
