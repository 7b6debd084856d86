import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineKind } from '../../src/store/registry/kind.ts'
import { creation, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const kindOf = (kind: string, requiredAdapters: readonly string[]) =>
  defineKind({
    kind,
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    parent: null,
    name: { minLength: 3, maxLength: 53 },
    spec: { type: 'object' },
    requiredAdapters,
    references: [],
    messages: { available: `${kind} available`, ready: `${kind} ready` },
  })

let one: TestServer
let other: TestServer

/** Two servers in this process that share a kind's name and nothing else. */
beforeAll(async () => {
  one = await startTestServer({
    kinds: [kindOf('Lake', ['a']), kindOf('Sea', ['a'])],
    env: { HYPERFLEET_DEFAULT_PAGE_SIZE: '1', HYPERFLEET_CONDITIONS: 'v0.1' },
  })
  other = await startTestServer({
    kinds: [kindOf('Lake', ['b']), kindOf('Pond', [])],
    env: {
      HYPERFLEET_DEFAULT_PAGE_SIZE: '2',
      HYPERFLEET_CONDITIONS: 'latest',
      UNKNOWN_PARAMETERS: 'ignore',
    },
  })
})
afterAll(async () => {
  await one[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

const servers = () => [one, other] as const

test('serve their own kinds', async () => {
  expect(await statusesOf('/seas')).toEqual([200, 404])
  expect(await statusesOf('/ponds')).toEqual([404, 200])
  const collections = await Promise.all(
    servers().map(async (server) => {
      const { paths } = (await server.get('/openapi')).body
      return Object.keys(paths).filter((path) => /^\/(seas|ponds|lakes)$/.test(path))
    }),
  )
  expect(collections).toEqual([
    ['/lakes', '/seas'],
    ['/lakes', '/ponds'],
  ])
})

test('keep their own resources, conditions, adapters and page sizes', async () => {
  const ids: string[] = []
  for (const server of servers()) {
    for (let made = 0; made < 3; made++) await server.post('/lakes', creation('Lake'))
    const { body } = await server.post('/lakes', creation('Lake', { name: 'same-name' }))
    await server.post(`/lakes/${body.id}/statuses`, report('a'))
    ids.push(body.id)
  }
  const [first = '', second = ''] = ids
  const sizes = await Promise.all(
    servers().map(async (server) => (await server.get('/lakes')).body.size),
  )
  expect(sizes).toEqual([1, 2])
  const conditions = async (server: TestServer, id: string) => {
    const { status } = (await server.get(`/lakes/${id}`)).body
    return status.conditions.map(
      (condition: { type: string; status: string }) => `${condition.type} ${condition.status}`,
    )
  }
  expect(await conditions(one, first)).toEqual(['Available True', 'Ready True', 'ASuccessful True'])
  expect(await conditions(other, second)).toEqual([
    'Reconciled False',
    'LastKnownReconciled False',
    'ASuccessful True',
  ])
  expect((await one.get(`/lakes/${second}`)).status).toBe(404)
  expect((await other.get(`/resources/${first}`)).status).toBe(404)
})

test('take their own parameters and kinds that are registered at run time', async () => {
  expect(await statusesOf('/lakes?limit=1')).toEqual([400, 200])
  one.registry.register({ ...kindOf('Creek', []), spec: { type: 'object' } })
  expect(await statusesOf('/creeks')).toEqual([200, 404])
})

test('count their own requests', async () => {
  const path = '/lakes/missing'
  for (let sent = 0; sent < 5; sent++) await one.get(path)
  const counts = await Promise.all(servers().map(notFoundReads))
  expect(counts[0]).toBeGreaterThanOrEqual(5)
  expect(counts[1]).toBe(0)
})

function statusesOf(path: string): Promise<number[]> {
  return Promise.all(servers().map(async (server) => (await server.get(path)).status))
}

/** Reads of a lake that one server has answered with 404, by its metrics. */
async function notFoundReads({ metricsOrigin }: TestServer): Promise<number> {
  const text = await (await fetch(`${metricsOrigin}/metrics`)).text()
  const line = text
    .split('\n')
    .find((row) => /requests_total\{/.test(row) && row.includes('/lakes/{') && row.includes('404'))
  return line === undefined ? 0 : Number(line.split(' ').at(-1))
}
