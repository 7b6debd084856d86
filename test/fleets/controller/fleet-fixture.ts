import { expect } from 'vitest'
import type { ApiObject } from '../../../src/planes/model/api-object.ts'
import type { DeleteOptions } from '../../../src/planes/model/object-operations.ts'
import { KubeError } from '../../../src/planes/errors/kube-error.ts'
import { createHttpFleetClient } from '../../../src/planes/controllers/client/http/http-fleet-client.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import type { JsonObject } from '../../../src/lib/json/json.ts'

export const FLEETS = { group: 'kplane.dev', version: 'v1', plural: 'fleets' }
export const SCENARIOS = { group: 'kplane.dev', version: 'v1', plural: 'scenarios' }
export const CLUSTERS = { group: 'hyperfleet.io', version: 'v1', plural: 'clusters' }
const EVENTS = { group: '', version: 'v1', plural: 'events' }
/** Settings with which deleted clusters are removed without reports. */
export const NO_ADAPTERS = { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '[]' }
export const WAIT = { interval: 50 }

/** The status of a fleet as tests read it. */
export interface StatusView {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly readyReplicas?: number
  readonly claimedReplicas?: number
  readonly failedReplicas?: number
  readonly updatedReplicas?: number
  readonly members?: readonly { readonly clusterID: string; readonly phase: string }[]
  readonly conditions?: readonly {
    readonly type: string
    readonly status: string
    readonly reason: string
    readonly message: string
  }[]
}

/** A member's cluster. */
export interface MemberView {
  readonly name: string
  readonly uid: string
  readonly isDeleting: boolean
  readonly labels: Readonly<Record<string, string>>
}

/** Short calls on fleets, over HTTP. */
export interface FleetFixture {
  readonly client: PlaneClient
  create(name: string, spec: JsonObject): Promise<ApiObject>
  get(name: string): Promise<ApiObject>
  /** Merges a patch into the spec. */
  change(name: string, spec: JsonObject): Promise<ApiObject>
  delete(name: string, options?: DeleteOptions): Promise<void>
  exists(name: string): Promise<boolean>
  status(name: string): Promise<StatusView>
  /** Such as `True NameConflict`. */
  condition(name: string, type: string): Promise<string>
  /** The live clusters with the label of the fleet, by name. */
  members(name: string): Promise<readonly MemberView[]>
  names(name: string): Promise<readonly string[]>
  /** Waits until the status is current and this number of members is ready. */
  untilReady(name: string, members: number, timeout?: number): Promise<void>
  untilGone(name: string): Promise<void>
  /** Reasons and messages of the fleet's events. */
  events(name: string): Promise<readonly string[]>
}

export function openFleets(origin: string | (() => string)): FleetFixture {
  const client = createHttpFleetClient({
    get server() {
      return typeof origin === 'string' ? origin : origin()
    },
    userAgent: 'test',
    planes: [],
    onError: () => undefined,
  }).plane('root')
  const get = (name: string) => client.get(FLEETS, { namespace: '', name })
  const status = async (name: string): Promise<StatusView> => Object((await get(name))['status'])
  const members = (name: string) => readMembers(client, name)
  return {
    client,
    create: (name, spec) =>
      client.create(FLEETS, {
        apiVersion: 'kplane.dev/v1',
        kind: 'Fleet',
        metadata: { name },
        spec,
      }),
    get,
    change: (name, spec) =>
      client.patch(FLEETS, { namespace: '', name }, { type: 'merge', body: { spec } }),
    delete: (name, options) => client.delete(FLEETS, { namespace: '', name }, options),
    exists: (name) => exists(get(name)),
    status,
    condition: async (name, type) => {
      const found = (await status(name)).conditions?.find((each) => each.type === type)
      return found ? `${found.status} ${found.reason}` : ''
    },
    members,
    names: async (name) => (await members(name)).map((member) => member.name),
    untilReady: async (name, count, timeout = 120_000) => {
      const isCurrent = async (): Promise<object> => {
        const { metadata } = await get(name)
        const { observedGeneration, readyReplicas, replicas } = await status(name)
        return { isCurrent: observedGeneration === metadata.generation, readyReplicas, replicas }
      }
      const expected = { isCurrent: true, readyReplicas: count, replicas: count }
      await expect.poll(isCurrent, { ...WAIT, timeout }).toEqual(expected)
    },
    untilGone: (name) => expect.poll(() => exists(get(name)), WAIT).toBe(false),
    events: (name) => readEvents(client, name),
  }
}

async function exists(read: Promise<ApiObject>): Promise<boolean> {
  return read.then(
    () => true,
    (error: unknown) => {
      if (error instanceof KubeError && error.code === 404) return false
      throw error
    },
  )
}

async function readMembers(client: PlaneClient, name: string): Promise<readonly MemberView[]> {
  const found: MemberView[] = []
  for await (const page of client.pages(CLUSTERS, { labelSelector: `kplane.dev/fleet=${name}` })) {
    for (const { metadata } of page.items) {
      const { name: cluster = '', uid = '', labels = {}, deletionTimestamp } = metadata
      found.push({ name: cluster, uid, labels, isDeleting: deletionTimestamp !== undefined })
    }
  }
  return found.filter(({ isDeleting }) => !isDeleting)
}

async function readEvents(client: PlaneClient, name: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const page of client.pages(EVENTS, { namespace: 'default' })) {
    for (const event of page.items) {
      if (Object(event['involvedObject']).name !== name) continue
      found.push(`${String(event['reason'])}: ${String(event['message'])}`)
    }
  }
  return found
}
