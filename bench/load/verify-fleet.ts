import {
  conditionsFollow,
  type ShownResource,
  type ShownStatus,
} from '../../test/statuses/expected-conditions.ts'
import type { Client } from '../servers/http-client.ts'
import type { Cluster, Fleet } from './fleet.ts'

const CONCURRENCY = 32

interface ShownReport extends ShownStatus {
  readonly data: { readonly seq: number }
}

/** Compares every cluster with its acknowledged writes. Returns one line per difference. */
export async function verifyFleet(client: Client, fleet: Fleet): Promise<readonly string[]> {
  const problems: string[] = []
  const pending = [...fleet.clusters]
  const work = async (): Promise<void> => {
    for (let cluster = pending.pop(); cluster; cluster = pending.pop()) {
      problems.push(...(await differences(client, cluster)))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return problems
}

async function differences(client: Client, cluster: Cluster): Promise<readonly string[]> {
  const path = `/clusters/${cluster.id}`
  const resource: ShownResource = await read(client, path)
  const statuses: { items: readonly ShownReport[] } = await read(
    client,
    `${path}/statuses?pageSize=100`,
  )
  const stored = new Map(statuses.items.map((status) => [status.adapter, status]))
  const problems = cluster.uncertain
    ? []
    : [...generationProblems(cluster, resource), ...lost(cluster, stored)]
  if (!conditionsFollow(resource, statuses.items)) {
    problems.push('its conditions do not follow from its reports')
  }
  return problems.map((problem) => `${cluster.name}: ${problem}`)
}

function generationProblems(cluster: Cluster, { generation }: ShownResource): string[] {
  if (generation === cluster.generation) return []
  return [`generation ${generation}, but ${cluster.generation - 1} spec changes were acknowledged`]
}

function lost(cluster: Cluster, stored: ReadonlyMap<string, ShownReport>): string[] {
  return [...cluster.reports].flatMap(([adapter, { generation, status, seq }]) => {
    const found = stored.get(adapter)
    const isStored =
      found?.data.seq === seq &&
      found.observed_generation === generation &&
      found.conditions[0]?.status === status
    return isStored ? [] : [`acknowledged report ${seq} of ${adapter} is not stored`]
  })
}

// oxlint-disable-next-line typescript/no-explicit-any -- the caller declares the type
async function read(client: Client, path: string): Promise<any> {
  const { status, text } = await client.request('GET', path)
  if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${text}`)
  return JSON.parse(text)
}
