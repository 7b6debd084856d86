import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  Client,
  type StatusReport,
  explainReadiness,
  type ReportedCondition,
} from '../../../clients/typescript/src/index.ts'
import { newName } from '../../support/fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const ADAPTERS = ['dns', 'net']

let server: TestServer
let client: Client
beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns","net"]' } })
  client = new Client(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

/** Explains a cluster two minutes after the last change. */
async function explain(id: string) {
  const resource = await client.clusters.get(id)
  const statuses = await client.statuses.list(id)
  const last = resource.deleted_time ?? resource.updated_time
  const now = new Date(Date.parse(last) + 120_000)
  return explainReadiness({ resource, statuses, requiredAdapters: ADAPTERS, now })
}

function statesOf({ requirements }: ReturnType<typeof explainReadiness>): string[] {
  return requirements.map(({ adapter, state }) => `${adapter} ${state}`)
}

const available = (
  status: ReportedCondition['status'],
  fields: Partial<ReportedCondition> = {},
): ReportedCondition[] => [{ type: 'Available', status, ...fields }]

async function send(id: string, adapter: string, fields: Partial<StatusReport>) {
  await client.statuses.create(id, { adapter, observed_generation: 1, conditions: [], ...fields })
}

test('names the adapters that have not reported', async () => {
  const { id, name } = await client.clusters.create({ name: newName() })
  const explained = await explain(id)
  expect(explained.ready).toBe(false)
  expect(explained.sentence).toBe(
    `${name} is not ready: dns has not reported for 2m and net has not reported for 2m.`,
  )
  expect(explained.requirements[0]).toMatchObject({ observedGeneration: null, reason: null })
})

test('follows reports, spec changes and the deletion', async () => {
  const { id, name } = await client.clusters.create({ name: newName() })

  await send(id, 'dns', { conditions: available('Unknown') })
  expect(statesOf(await explain(id))).toEqual(['dns unknown', 'net missing'])

  await send(id, 'dns', { conditions: available('True') })
  await send(id, 'net', {
    conditions: available('False', { reason: 'NoQuota', message: '0 left' }),
  })
  const failed = await explain(id)
  expect(statesOf(failed)).toEqual(['dns satisfied', 'net false'])
  expect(failed.sentence).toMatch(
    /^\S+ is not ready: net has reported False.* \(NoQuota: 0 left\)\.$/,
  )

  await send(id, 'net', { conditions: available('True') })
  const ready = await explain(id)
  expect(ready.ready).toBe(true)
  expect(ready.sentence).toBe(
    `${name} is ready at generation 1: all 2 required adapters report True.`,
  )

  // The last Available stays in effect after a report without it.
  await send(id, 'net', { conditions: [{ type: 'Health', status: 'True' }] })
  expect(statesOf(await explain(id))).toEqual(['dns satisfied', 'net satisfied'])

  await client.clusters.patch(id, { spec: { size: 2 } })
  await send(id, 'dns', { observed_generation: 2, conditions: available('True') })
  const behind = await explain(id)
  expect(statesOf(behind)).toEqual(['dns satisfied', 'net behind'])
  expect(behind.sentence).toBe(
    `${name} is not ready: net is at generation 1 and has not observed generation 2 for 2m.`,
  )

  await client.clusters.delete(id)
  await send(id, 'dns', {
    observed_generation: 3,
    conditions: [...available('True'), { type: 'Finalized', status: 'True' }],
  })
  await send(id, 'net', { observed_generation: 3, conditions: available('True') })
  const deleting = await explain(id)
  expect(statesOf(deleting)).toEqual(['dns satisfied', 'net unfinalized'])
  expect(deleting.sentence).toBe(
    `${name} is being deleted, as requested 2m ago: net has not finished its clean-up for 2m.`,
  )
})

test('an adapter ahead of the resource is named', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  await send(id, 'dns', { observed_generation: 5, conditions: available('True') })
  const { requirements } = await explain(id)
  expect(requirements[0]).toMatchObject({ state: 'ahead', observedGeneration: 5 })
})

test('a kind without required adapters never becomes ready', async () => {
  const { id, name } = await client.clusters.create({ name: newName() })
  const resource = await client.clusters.get(id)
  const now = new Date(resource.created_time)
  const input = { resource, statuses: [], requiredAdapters: [], now }
  expect(explainReadiness(input).sentence).toBe(
    `${name} is not ready and never will be: its kind has no required adapters.`,
  )
  const bare = { ...input, resource: { ...resource, status: { conditions: [] } } }
  expect(explainReadiness(bare).sentence).toContain('has no readiness')
})
