import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Capability } from '../../src/capability/capability.ts'
import { CAPABILITIES } from '../../src/cmd/capabilities.ts'
import { readConfig, settingsOf } from '../../src/cmd/settings.ts'
import { type Flotilla, startFlotilla } from '../../src/cmd/start-flotilla.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { SMOKES } from './smokes.ts'
import { LONG_TIMEOUTS } from '../support/long-timeouts.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** The capability and all that need it, directly or through others. */
function dependentsOf(removed: Capability): ReadonlySet<Capability> {
  const found = new Set<Capability>([removed])
  for (const capability of CAPABILITIES) {
    if (Object.values<Capability>(capability.needs).some((need) => found.has(need))) {
      found.add(capability)
    }
  }
  return found
}

it('every capability has a smoke test, and no other name', () => {
  expect(Object.keys(SMOKES).toSorted()).toEqual(CAPABILITIES.map(({ name }) => name).toSorted())
})

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database[Symbol.asyncDispose]())

function start(capabilities: readonly Capability[]): Promise<Flotilla> {
  const env = {
    DATABASE_URL: database.url,
    PORT: '0',
    HEALTH_PORT: '0',
    METRICS_PORT: '0',
    SANDBOX_RUNTIME: 'off',
    ...LONG_TIMEOUTS,
  }
  const config = readConfig(kinds, env, capabilities)
  return startFlotilla(config, { log: pino({ level: 'fatal' }), capabilities })
}

describe.each(CAPABILITIES.slice(1))('a server without $name', (removed: Capability) => {
  const gone = dependentsOf(removed)
  const isGone = (name: string): boolean => [...gone].some((each) => each.name === name)
  const rest = CAPABILITIES.filter((capability) => !gone.has(capability))

  it('serves everything else, and has no trace of it', async () => {
    const without = settingsOf(kinds, rest).map(({ env }) => env)
    for (const { env } of Object.values(removed.settings)) expect(without).not.toContain(env)
    await using server = await start(rest)
    const origin = `http://127.0.0.1:${server.port}`
    const created = await createCluster(origin, removed.name)
    for (const { name } of CAPABILITIES) {
      const [template, served] = SMOKES[name]?.path ?? []
      if (template === undefined) continue
      const path = template.replace('{id}', created.id)
      const { status } = await fetch(origin + path, { redirect: 'manual' })
      expect([path, status]).toEqual([path, isGone(name) ? 404 : served])
    }
    const document: { paths: object; components: { schemas: object } } = JSON.parse(
      await (await fetch(`${origin}${BASE_PATH}/openapi`)).text(),
    )
    for (const [name, { documented }] of Object.entries(SMOKES)) {
      if (documented === undefined) continue
      const [end, schema] = documented
      const found = Object.keys(document.paths).some((path) => path.endsWith(end))
      const schemas = document.components.schemas
      expect([name, found, schema in schemas]).toEqual([name, !isGone(name), !isGone(name)])
    }
    const metrics = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text()
    for (const [name, { metric }] of Object.entries(SMOKES)) {
      if (metric === undefined) continue
      expect([metric, metrics.includes(`\n# TYPE ${metric} `)]).toEqual([metric, !isGone(name)])
    }
  })
})

/** Creates a cluster, reports on it, and finds it. */
async function createCluster(origin: string, removed: string): Promise<{ readonly id: string }> {
  const base = `${origin}${BASE_PATH}`
  const name = `without-${removed}`
  const created = await send(`${base}/clusters`, { kind: 'Cluster', name, spec: {} })
  expect(created.status).toBe(201)
  const { id }: { id: string } = JSON.parse(created.text)
  const time = new Date().toISOString()
  const condition = {
    type: 'Available',
    status: 'True',
    reason: 'R',
    message: '',
    last_transition_time: time,
  }
  const report = {
    adapter: 'validation',
    observed_generation: 1,
    observed_time: time,
    conditions: ['Available', 'Applied', 'Health'].map((type) => ({ ...condition, type })),
  }
  expect((await send(`${base}/clusters/${id}/statuses`, report)).status).toBe(201)
  const found = await fetch(`${base}/clusters?search=${encodeURIComponent(`name = '${name}'`)}`)
  expect(await found.json()).toMatchObject({ total: 1, items: [{ id, generation: 1 }] })
  return { id }
}

async function send(url: string, body: unknown): Promise<{ status: number; text: string }> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}
