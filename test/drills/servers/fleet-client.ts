import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createHttpFleetClient } from '../../../src/planes/controllers/client/http/http-fleet-client.ts'
import type {
  PlaneClient,
  ResourceName,
} from '../../../src/planes/controllers/client/plane-client.ts'
import { observeMembers } from '../fleets/observed-members.ts'

const FLEETS: ResourceName = { group: 'kplane.dev', version: 'v1', plural: 'fleets' }
const FLEET = { namespace: '', name: 'drill' }
const LEASES: ResourceName = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
const LEASE = { namespace: 'kube-system', name: 'flotilla-controllers' }
const SAMPLE_MS = 100
const TIMEOUT_MS = 120_000

/** A fleet that only controllers can scale. */
export interface DrilledFleet {
  create(replicas: number): Promise<void>
  scale(replicas: number): Promise<void>
  /** The number of its members in the database. */
  members(): Promise<number>
  untilMembers(isReached: (members: number) => boolean): Promise<void>
  /** The identity of the process that runs the controllers; empty without one. */
  leader(): Promise<string>
}

interface Options {
  /** A server with the API. */
  readonly origin: string
  readonly pool: pg.Pool
}

export function openFleet({ origin, pool }: Options): DrilledFleet {
  const client: PlaneClient = createHttpFleetClient({
    server: origin,
    userAgent: 'drill',
    planes: [],
    onError: () => undefined,
  }).plane('root')
  const members = async (): Promise<number> =>
    (await observeMembers(pool, FLEET.name)).members.length
  return {
    create: async (replicas) => {
      await client.create(FLEETS, {
        apiVersion: 'kplane.dev/v1',
        kind: 'Fleet',
        metadata: { name: FLEET.name },
        spec: { replicas, scaleDownPolicy: 'Delete' },
      })
    },
    scale: async (replicas) => {
      await client.patch(FLEETS, FLEET, { type: 'merge', body: { spec: { replicas } } })
    },
    members,
    untilMembers: async (isReached) => {
      const end = performance.now() + TIMEOUT_MS
      for (;;) {
        const count = await members()
        if (isReached(count)) return
        assert.ok(performance.now() < end, `the fleet stays at ${count} members`)
        await sleep(SAMPLE_MS)
      }
    },
    leader: async () => {
      const { spec } = await client.get(LEASES, LEASE)
      return String(Object(spec).holderIdentity)
    },
  }
}
