import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Capability } from '../../src/capability/capability.ts'
import { CAPABILITIES } from '../../src/cmd/capabilities.ts'
import { readConfig, settingsOf } from '../../src/cmd/settings.ts'
import { type Flotilla, startFlotilla } from '../../src/cmd/start-flotilla.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { LONG_TIMEOUTS } from '../support/long-timeouts.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** A path that only a server with the capability knows, and the status of its response to a GET. */
const PATHS: Readonly<Record<string, readonly [string, number]>> = {
  console: ['/console', 308],
  planes: ['/api', 200],
  'exposed-kinds': ['/apis/hyperfleet.io/v1/clusters', 200],
  fleets: ['/apis/kplane.dev/v1/fleets', 200],
  sandboxes: ['/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes', 200],
  snapshots: [`${BASE_PATH}/clusters/{id}/snapshot`, 200],
  history: [`${BASE_PATH}/clusters/{id}/history`, 200],
  'adapter-work': [`${BASE_PATH}/adapters/a/lease`, 405],
  audit: [`${BASE_PATH}/audit`, 200],
  overview: [`${BASE_PATH}/overview`, 200],
  webhooks: [`${BASE_PATH}/webhooks`, 200],
}

/** The end of a path, and a schema, in the document of each capability that adds to it. */
const DOCUMENTED: Readonly<Record<string, readonly [string, string]>> = {
  snapshots: ['/snapshot', 'Snapshot'],
  history: ['/history', 'HistoryEntry'],
  'adapter-work': ['/lease', 'AdapterLease'],
  audit: ['/audit', 'AuditEvent'],
  overview: ['/overview', 'Overview'],
  webhooks: ['/webhooks', 'Webhook'],
}

/** A metric of each capability that has some on a default server. */
const METRICS: Readonly<Record<string, string>> = {
  planes: 'flotilla_reconciles_total',
  sandboxes: 'flotilla_sandbox_operations_total',
  snapshots: 'flotilla_view_trees',
  history: 'flotilla_history_lag_changes',
  'adapter-work': 'flotilla_adapter_lease_waiters',
  audit: 'flotilla_audit_queued_events',
  webhooks: 'flotilla_webhook_lag_changes',
}

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
      const [template, served] = PATHS[name] ?? []
      if (template === undefined) continue
      const path = template.replace('{id}', created.id)
      const { status } = await fetch(origin + path, { redirect: 'manual' })
      expect([path, status]).toEqual([path, isGone(name) ? 404 : served])
    }
    const document: { paths: object; components: { schemas: object } } = JSON.parse(
      await (await fetch(`${origin}${BASE_PATH}/openapi`)).text(),
    )
    for (const [name, [end, schema]] of Object.entries(DOCUMENTED)) {
      const found = Object.keys(document.paths).some((path) => path.endsWith(end))
      const schemas = document.components.schemas
      expect([name, found, schema in schemas]).toEqual([name, !isGone(name), !isGone(name)])
    }
    const metrics = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text()
    for (const [name, metric] of Object.entries(METRICS)) {
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
