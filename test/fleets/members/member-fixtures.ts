import type {
  Comparison,
  FleetMembers,
  FleetRef,
} from '../../../src/fleets/members/fleet-members.ts'
import { must } from '../../../src/lib/assert.ts'
import type { TestServer } from '../../support/test-server.ts'
import { fleetApi } from '../fleet-api.ts'

/** A fleet without a running controller: tests take its steps one by one. */
export interface TestFleet {
  readonly name: string
  readonly members: FleetMembers
  readonly api: ReturnType<typeof fleetApi>
  /** The current version of the object. */
  ref(): Promise<FleetRef>
  compare(): Promise<Comparison>
  /** Creates, removes and resets until nothing is left to do. Returns the last comparison. */
  converge(): Promise<Comparison>
  /** The names of the members in desired order. */
  names(): Promise<readonly string[]>
  post(subresource: string, body: object): ReturnType<ReturnType<typeof fleetApi>['call']>
  patchSpec(spec: object): Promise<void>
}

const PATH = '/apis/kplane.dev/v1/fleets'

/** Creates a Fleet object. */
export async function createFleet(
  server: TestServer,
  name: string,
  spec: object,
): Promise<TestFleet> {
  const created = await fleetApi(server.origin).create(name, spec)
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return openFleet(server, name)
}

/** An existing Fleet through a server. */
export function openFleet(server: TestServer, name: string): TestFleet {
  const api = fleetApi(server.origin)
  const members = must(server.planes.membersOf, 'fleets')('root', null)
  const ref = async (): Promise<FleetRef> => {
    const { metadata } = (await api.get(name)).body
    return { name, uid: metadata.uid, generation: metadata.generation }
  }
  const compare = async () => members.compare(await ref())
  const fleet: TestFleet = {
    name,
    members,
    api,
    ref,
    compare,
    converge: async () => {
      for (;;) {
        const current = await ref()
        await members.expire(current)
        const comparison = await members.compare(current)
        if (!(await step(fleet, current, comparison))) return comparison
      }
    },
    names: async () =>
      (await compare()).members.flatMap(({ uid, clusterID }) => (uid ? [clusterID] : [])),
    post: (subresource, body) => api.call('POST', `${PATH}/${name}/${subresource}`, body),
    patchSpec: async (patched) => {
      const { status, body } = await api.patch(name, { spec: patched })
      if (status !== 200) throw new Error(JSON.stringify(body))
    },
  }
  return fleet
}

/** Whether something was done. */
async function step(
  { members, api, name }: TestFleet,
  ref: FleetRef,
  { surplus, missing, recycling, undeclared }: Comparison,
): Promise<boolean> {
  if (surplus.length > 0) {
    const { spec } = (await api.get(name)).body
    const ids = surplus.map(({ id }) => id)
    await members.remove(ref, ids, spec.scaleDownPolicy ?? 'Orphan')
  }
  if (missing.length > 0) await members.create(ref, missing)
  if (undeclared.length > 0) await members.declare(ref, undeclared)
  if (recycling.length > 0) await members.reset(ref, recycling)
  return [surplus, missing, recycling, undeclared].some((batch) => batch.length > 0)
}

/** Names with a prefix: the indexes from `from` up to, but without, `to`. */
export function namesFrom(prefix: string, from: number, to: number): readonly string[] {
  return Array.from(
    { length: to - from },
    (_, index) => prefix + String(from + index).padStart(4, '0'),
  )
}
