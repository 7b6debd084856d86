import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/cmd/settings.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import { create, KIND_CASES, report } from '../support/fixtures.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'

const AGGREGATED = {
  unset: ['Available', 'Ready', 'Reconciled', 'LastKnownReconciled'],
  'v0.1': ['Available', 'Ready'],
  latest: ['Reconciled', 'LastKnownReconciled'],
  both: ['Available', 'Ready', 'Reconciled', 'LastKnownReconciled'],
}

/** Servers on one database, by their setting of HYPERFLEET_CONDITIONS. */
const servers = new Map<string, TestServer>()

beforeAll(async () => {
  const first = await startTestServer()
  servers.set('unset', first)
  for (const family of ['v0.1', 'latest', 'both']) {
    const env = { HYPERFLEET_CONDITIONS: family }
    servers.set(family, await startTestServer({ env, databaseUrl: first.databaseUrl }))
  }
})
afterAll(async () => {
  for (const server of [...servers.values()].toReversed()) await server[Symbol.asyncDispose]()
})

function serverOf(family: string): TestServer {
  return must(servers.get(family), `the server with ${family}`)
}

function typesOf(resource: { status: { conditions: { type: string }[] } }): readonly string[] {
  return resource.status.conditions.map(({ type }) => type)
}

describe.each(KIND_CASES)('the conditions of a $kind', (kindCase) => {
  const { kind, flat, requiredAdapters } = kindCase
  const exposed = requiredAdapters
    .map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Successful`)
    .toSorted()

  describe.each(Object.entries(AGGREGATED))('with HYPERFLEET_CONDITIONS %s', (name, types) => {
    test('are those of the family in every response, followed by those of the adapters', async () => {
      const server = serverOf(name)
      const { body, item, collection } = await create(server, kindCase)
      expect(typesOf(body)).toEqual(types)
      for (const adapter of requiredAdapters) {
        await server.post(`${item}/statuses`, report(adapter))
      }
      const expected = [...types, ...exposed]
      const responses: readonly TestResponse[] = [
        await server.get(item),
        await server.get(`${flat}/${body.id}`),
        await server.patch(item, { spec: { changed: true } }),
        await server.request('DELETE', item),
      ]
      for (const response of responses) expect(typesOf(response.body)).toEqual(expected)
      for (const list of [flat, collection]) {
        const { items } = (await server.get(`${list}?search=id='${body.id}'`)).body
        expect(items.map(typesOf)).toEqual([expected])
      }
    })
  })

  test('are equal on all servers, and every server can search both families', async () => {
    const both = serverOf('both')
    const { body, item } = await create(both, kindCase)
    for (const adapter of requiredAdapters) await both.post(`${item}/statuses`, report(adapter))
    const all = (await both.get(item)).body.status.conditions
    expect(all).toHaveLength(4 + exposed.length)
    for (const server of servers.values()) {
      const { conditions } = (await server.get(item)).body.status
      expect(all).toEqual(expect.arrayContaining(conditions))
      for (const type of AGGREGATED.both) {
        for (const status of ['True', 'False']) {
          const search = encodeURIComponent(
            `id='${body.id}' and status.conditions.${type}='${status}'`,
          )
          const { total } = (await server.get(`${flat}?search=${search}`)).body
          expect({ type, status, total }).toEqual({
            type,
            status,
            total: status === 'True' ? 1 : 0,
          })
        }
      }
    }
  })

  test('await their adapters in both families', async () => {
    const { body } = await create(serverOf('both'), kindCase)
    expect(body.kind).toBe(kind)
    for (const condition of body.status.conditions) {
      expect(condition).toMatchObject({
        status: 'False',
        reason: 'AwaitingAdapters',
        observed_generation: 0,
        created_time: body.created_time,
      })
    }
  })
})

test('HYPERFLEET_CONDITIONS accepts only the three families', () => {
  expect(readConfig(kinds, {}).conditionFamily).toBe('both')
  expect(() => readConfig(kinds, { HYPERFLEET_CONDITIONS: 'v1' })).toThrow(
    "HYPERFLEET_CONDITIONS: expected one of v0.1, latest, both, found 'v1'",
  )
})
