import { expect } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { UNREACHABLE } from '../auth/request-body.ts'
import { POD_TEMPLATE } from '../sandboxes/kinds/sandbox-api.ts'

/** A response to a caller. */
interface SmokeResponse {
  readonly status: number
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly body: any
}

export type Send = (method: string, path: string, body?: object) => Promise<SmokeResponse>

/** A caller that may do everything with a cluster. */
export interface Smoked {
  readonly send: Send
  readonly cluster: { readonly id: string; readonly name: string }
  /** A caller of the tenant whose TENANT_LIMITS allow one resource; null without tenancy. */
  readonly limited: Send | null
}

/** How tests recognize a capability. */
interface Smoke {
  /** A path that only a server with the capability knows, and the status of its response to a GET. */
  readonly path?: readonly [string, number]
  /** The end of a path, and a schema, that it adds to the document. */
  readonly documented?: readonly [string, string]
  /** A metric that it has on a default server. */
  readonly metric?: string
  /**
   * Uses the capability. Returns a path whose response names the cluster, and which other callers
   * must not see; null without such a path.
   */
  readonly use: (smoked: Smoked) => Promise<string | null>
}

const FLEETS = '/apis/kplane.dev/v1/fleets'
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const CLUSTERS = `${BASE_PATH}/clusters`

/** One entry for every capability, by its name. */
export const SMOKES: Readonly<Record<string, Smoke>> = {
  hyperfleet: {
    use: async ({ send, cluster: { id, name } }) => {
      const found = await read(send, `${CLUSTERS}?search=${encodeURIComponent(`name = '${name}'`)}`)
      expect(found).toMatchObject({ total: 1, items: [{ id }] })
      const report = { adapter: 'dns', observed_generation: 1, conditions: [AVAILABLE] }
      await created(send, `${CLUSTERS}/${id}/statuses`, report)
      return `${CLUSTERS}/${id}`
    },
  },
  console: {
    path: ['/console', 308],
    use: async ({ send }) => {
      expect((await send('GET', '/console')).status).toBe(308)
      return null
    },
  },
  shards: {
    // With shards, requests alternate between the server of the tenant and another one.
    use: async ({ send, cluster: { id } }) => {
      const [one, other] = [
        await send('GET', `${CLUSTERS}/${id}`),
        await send('GET', `${CLUSTERS}/${id}`),
      ]
      expect([one.status, other.body]).toEqual([200, one.body])
      return `${CLUSTERS}/${id}`
    },
  },
  planes: {
    path: ['/api', 200],
    metric: 'flotilla_reconciles_total',
    use: async ({ send, cluster: { id, name } }) => {
      const maps = `/clusters/${id}/control-plane/api/v1/namespaces/default/configmaps`
      await created(send, maps, { metadata: { name } })
      await read(send, `${maps}/${name}`)
      return `${maps}/${name}`
    },
  },
  'exposed-kinds': {
    path: ['/apis/hyperfleet.io/v1/clusters', 200],
    use: async ({ send, cluster: { name } }) => {
      const path = `/apis/hyperfleet.io/v1/clusters/${name}`
      expect(await read(send, path)).toMatchObject({ kind: 'Cluster', metadata: { name } })
      return path
    },
  },
  fleets: {
    path: [FLEETS, 200],
    use: async ({ send, cluster: { name } }) => {
      await created(send, FLEETS, { metadata: { name }, spec: { replicas: 0 } })
      expect(await read(send, `${FLEETS}/${name}/members`)).toMatchObject({ items: [] })
      return `${FLEETS}/${name}`
    },
  },
  sandboxes: {
    path: ['/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes', 200],
    metric: 'flotilla_sandbox_operations_total',
    use: async ({ send, cluster: { name } }) => {
      await created(send, SANDBOXES, { metadata: { name }, spec: { podTemplate: POD_TEMPLATE } })
      await read(send, `${SANDBOXES}/${name}`)
      return `${SANDBOXES}/${name}`
    },
  },
  snapshots: {
    path: [`${CLUSTERS}/{id}/snapshot`, 200],
    documented: ['/snapshot', 'Snapshot'],
    metric: 'flotilla_view_trees',
    use: async ({ send, cluster: { id } }) => {
      const path = `${CLUSTERS}/${id}/snapshot`
      expect((await send('GET', path)).text).toContain(id)
      return path
    },
  },
  history: {
    path: [`${CLUSTERS}/{id}/history`, 200],
    documented: ['/history', 'HistoryEntry'],
    metric: 'flotilla_history_lag_changes',
    use: async ({ send, cluster: { id } }) => {
      const path = `${CLUSTERS}/${id}/history`
      await expect.poll(async () => (await read(send, path)).items.length, LONG).toBeGreaterThan(0)
      return path
    },
  },
  'adapter-work': {
    path: [`${BASE_PATH}/adapters/a/lease`, 405],
    documented: ['/lease', 'AdapterLease'],
    metric: 'flotilla_adapter_lease_waiters',
    use: async ({ send, cluster: { id } }) => {
      const path = `${BASE_PATH}/adapters/validator/lease`
      const wanted = { kinds: ['Cluster'], waitSeconds: 30 }
      const { status, text, body } = await send('POST', path, wanted)
      expect(status, text).toBe(200)
      const leased = body.items.map(({ resource }: { resource: { id: string } }) => resource.id)
      expect(leased).toContain(id)
      return null
    },
  },
  alerts: {
    metric: 'flotilla_alert_evaluations_total',
    use: async ({ send, cluster: { name } }) => {
      const spec = {
        kind: 'Cluster',
        search: `name = '${name}'`,
        alert: { more_than: 0, for_minutes: 0 },
      }
      const { id } = await created(send, `${BASE_PATH}/views`, { kind: 'View', name, spec })
      const firing = async () =>
        (await read(send, `${BASE_PATH}/views/${id}`)).status.conditions.find(
          ({ type }: { type: string }) => type === 'Firing',
        )
      await expect.poll(firing, LONG).toMatchObject({ status: 'True' })
      return null
    },
  },
  audit: {
    path: [`${BASE_PATH}/audit`, 200],
    documented: ['/audit', 'AuditEvent'],
    metric: 'flotilla_audit_queued_events',
    use: async ({ send, cluster: { name } }) => {
      const path = `${BASE_PATH}/audit?search=${encodeURIComponent(`name = '${name}'`)}`
      await expect.poll(async () => (await read(send, path)).items.length, LONG).toBeGreaterThan(0)
      return path
    },
  },
  overview: {
    path: [`${BASE_PATH}/overview`, 200],
    documented: ['/overview', 'Overview'],
    use: async ({ send, cluster: { id } }) => {
      const path = `${BASE_PATH}/overview`
      await expect.poll(async () => (await send('GET', path)).text, LONG).toContain(id)
      return path
    },
  },
  webhooks: {
    path: [`${BASE_PATH}/webhooks`, 200],
    documented: ['/webhooks', 'Webhook'],
    metric: 'flotilla_webhook_lag_changes',
    use: async ({ send, cluster: { name: description } }) => {
      const path = `${BASE_PATH}/webhooks`
      const { id } = await created(send, path, { url: UNREACHABLE, description })
      expect(await read(send, `${path}/${id}`)).toMatchObject({ description })
      return `${path}/${id}`
    },
  },
  'tenant-limits': {
    use: async ({ limited, cluster: { name } }) => {
      if (limited === null) return null
      const cluster = { kind: 'Cluster', name, spec: {} }
      await created(limited, CLUSTERS, cluster)
      const second = await limited('POST', CLUSTERS, { ...cluster, name: `${name}-2` })
      expect([second.status, second.body.detail]).toEqual([
        403,
        expect.stringContaining('resources'),
      ])
      return null
    },
  },
}

const AVAILABLE = { type: 'Available', status: 'True' }

const LONG = { timeout: 60_000 }

async function read(send: Send, path: string): Promise<SmokeResponse['body']> {
  const { status, text, body } = await send('GET', path)
  expect(status, `${path}: ${text}`).toBe(200)
  return body
}

async function created(send: Send, path: string, sent: object): Promise<SmokeResponse['body']> {
  const { status, text, body } = await send('POST', path, sent)
  expect(status, `${path}: ${text}`).toBe(201)
  return body
}
