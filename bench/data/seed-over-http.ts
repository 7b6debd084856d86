import { type Client, connectClient, type HttpResponse } from '../servers/http-client.ts'
import type { Ids, Target } from '../generator/messages.ts'
import { CLUSTER_ADAPTERS, NODE_POOL_ADAPTERS, reportedStatus } from './cluster-state.ts'
import { clusterName, clusterOf } from './cluster.ts'
import type { Dataset } from './dataset.ts'
import { nodePoolRow } from './node-pool.ts'
import { reportBody } from './report-body.ts'

const CONCURRENCY = 16
const PAGE_SIZE = 100

/** Creates the missing resources of a dataset through the API. Returns the ids by number. */
export async function seedOverHttp(
  { origin, headers }: Pick<Target, 'origin' | 'headers'>,
  dataset: Dataset,
): Promise<Ids> {
  await using client = connectClient(origin, CONCURRENCY, headers)
  const known = await idsByName(client)
  const clusters: string[] = []
  const nodePools: string[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < dataset.rows) {
      const number = (next += 1)
      const id = known.get(clusterName(number)) ?? (await createCluster(client, dataset, number))
      clusters[number - 1] = id
      for (let index = 0; index < dataset.nodePoolsPerCluster; index += 1) {
        nodePools.push(await createNodePool(client, dataset, { id, number, index }))
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return { clusters, nodePools }
}

/** Resources that an earlier run created. */
async function idsByName(client: Client): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const path = `/clusters?page=${page}&pageSize=${PAGE_SIZE}&orderBy=created_time`
    const { items } = await get(client, path)
    for (const { name, id } of items) ids.set(name, id)
    if (items.length < PAGE_SIZE) return ids
  }
}

async function createCluster(client: Client, dataset: Dataset, number: number): Promise<string> {
  const { name, labels, spec, state } = clusterOf(dataset, number)
  const made = await post(client, '/clusters', {
    kind: 'Cluster',
    name,
    labels,
    spec,
  })
  if (!dataset.reports) return made.id
  for (const adapter of CLUSTER_ADAPTERS) {
    const body = firstReport(adapter, reportedStatus(state, adapter))
    await post(client, `/clusters/${made.id}/statuses`, body)
  }
  return made.id
}

interface NodePoolPlace {
  readonly id: string
  readonly number: number
  readonly index: number
}

async function createNodePool(
  client: Client,
  dataset: Dataset,
  place: NodePoolPlace,
): Promise<string> {
  const { name, labels, spec } = nodePoolRow(dataset, place.number, place.index)
  const path = `/clusters/${place.id}/nodepools`
  const { items } = await get(client, path)
  const found = items.find((item: { name: string }) => item.name === name)
  if (found !== undefined) return found.id
  const { id } = await post(client, path, { kind: 'NodePool', name, labels, spec })
  for (const adapter of dataset.reports ? NODE_POOL_ADAPTERS : []) {
    await post(client, `${path}/${id}/statuses`, firstReport(adapter, 'True'))
  }
  return id
}

function firstReport(adapter: string, status: 'True' | 'False'): object {
  return reportBody({ adapter, status, observedTime: new Date().toISOString() })
}

// oxlint-disable-next-line typescript/no-explicit-any -- the caller declares the type
async function get(client: Client, path: string): Promise<any> {
  return bodyOf(await client.request('GET', path), `GET ${path}`)
}

// oxlint-disable-next-line typescript/no-explicit-any -- the caller declares the type
async function post(client: Client, path: string, body: object): Promise<any> {
  return bodyOf(await client.request('POST', path, body), `POST ${path}`)
}

function bodyOf({ status, text }: HttpResponse, request: string): unknown {
  if (status >= 300) throw new Error(`${request} was answered with ${status}: ${text}`)
  return JSON.parse(text)
}
