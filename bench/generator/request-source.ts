import { unreachable } from '../../src/lib/assert.ts'
import { clusterId, clusterOf, labelsOf, stateOf } from '../data/cluster.ts'
import { CLUSTER_ADAPTERS, NODE_POOL_ADAPTERS, verdictOf } from '../data/cluster-state.ts'
import { nodePoolId } from '../data/node-pool.ts'
import { SEARCHES } from '../data/searches.ts'
import type { Ids } from './messages.ts'
import type { Dataset } from '../data/dataset.ts'
import type { Operation } from './operation.ts'
import { reportText } from './report-text.ts'

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Below the base path. */
  readonly path: string
  readonly body: string | null
}

/** Makes the requests of one operation, each different from the one before. */
export interface RequestSource {
  readonly operation: string
  readonly expectedStatus: number
  /** Answers that say that the server has too much to do. */
  readonly refusals: readonly number[]
  next(): BenchRequest
}

export interface Chances {
  readonly dataset: Dataset
  /** Null where ids follow from numbers. */
  readonly ids: Ids | null
  readonly random: () => number
  /** Begins the names of what this source creates. */
  readonly tag: string
}

const TOO_MANY = 429
const UNAVAILABLE = 503
const SPECS_AT_HAND = 200
/** Clusters whose adapters take turns, so that reports of one cluster do not meet. */
const CLUSTERS_AT_ONCE = 64

export function requestSource(operation: Operation, chances: Chances): RequestSource {
  const source = (expectedStatus: number, next: () => BenchRequest): RequestSource => {
    const refusals = 'isTooMuch' in operation ? [TOO_MANY, UNAVAILABLE] : [TOO_MANY]
    return { operation: operation.op, expectedStatus, refusals, next }
  }
  switch (operation.op) {
    case 'get':
      return source(200, () => get(`/clusters/${anyCluster(chances).id}`))
    case 'snapshot':
      return source(200, () => get(`/clusters/${anyCluster(chances).id}/snapshot`))
    case 'list':
      return source(200, () =>
        get(`/clusters?page=${operation.page}&pageSize=${operation.pageSize}`),
      )
    case 'poll':
      return source(200, pollPages(chances, operation.pageSize))
    case 'search':
      return source(200, () => {
        const text = SEARCHES[operation.form][operation.breadth](chances)
        return get(`/clusters?search=${encodeURIComponent(text)}`)
      })
    case 'create':
      return source(201, createClusters(chances, operation.specBytes))
    case 'patch':
      return source(200, patchLabels(chances))
    case 'report-new':
      return source(201, firstReports(chances))
    case 'report-same':
      return source(201, heartbeats(chances))
    case 'report-flip':
      return source(201, flips(chances))
    case 'list-statuses':
      return source(200, () => get(`/clusters/${anyCluster(chances).id}/statuses`))
    case 'list-node-pools':
      return source(200, () => get(`/clusters/${anyCluster(chances).id}/nodepools`))
    case 'get-node-pool':
      return source(200, () => get(`/nodepools/${anyNodePool(chances)}`))
    case 'report-node-pool':
      return source(201, () => {
        const adapter = anyOf(chances, NODE_POOL_ADAPTERS)
        return post(`/nodepools/${anyNodePool(chances)}/statuses`, reportText(adapter, 'True'))
      })
    default:
      return unreachable(operation)
  }
}

function get(path: string): BenchRequest {
  return { method: 'GET', path, body: null }
}

function post(path: string, body: string): BenchRequest {
  return { method: 'POST', path, body }
}

function anyOf({ random }: Chances, values: readonly string[]): string {
  return values[Math.floor(random() * values.length)] ?? ''
}

function idOf({ ids }: Chances, number: number): string {
  return ids === null ? clusterId(number) : (ids.clusters[number - 1] ?? '')
}

function anyCluster(chances: Chances): { id: string; number: number } {
  const number = 1 + Math.floor(chances.random() * chances.dataset.rows)
  return { id: idOf(chances, number), number }
}

function anyNodePool(chances: Chances): string {
  const { ids, random, dataset } = chances
  if (ids !== null) return anyOf(chances, ids.nodePools)
  const index = Math.floor(random() * dataset.nodePoolsPerCluster)
  return nodePoolId(1 + Math.floor(random() * dataset.rows), index)
}

/** As an adapter polls: one page after the other, and from the first one again. */
function pollPages({ dataset }: Chances, pageSize: number): () => BenchRequest {
  const pages = Math.max(1, Math.floor(dataset.rows / pageSize))
  let turn = 0
  return () => get(`/clusters?page=${1 + (turn++ % pages)}&pageSize=${pageSize}`)
}

function createClusters(
  { dataset, tag }: Chances,
  specBytes: readonly [number, number],
): () => BenchRequest {
  const samples = { ...dataset, specBytes }
  const atHand = specBytes[1] > 100_000 ? 4 : SPECS_AT_HAND
  const bodies = Array.from({ length: atHand }, (_, index) => {
    const { labels, spec } = clusterOf(samples, dataset.rows + 1 + index)
    return `","labels":${JSON.stringify(labels)},"spec":${JSON.stringify(spec)}}`
  })
  let turn = 0
  return () => {
    turn += 1
    return post('/clusters', `{"kind":"Cluster","name":"${tag}-${turn}${bodies[turn % atHand]}`)
  }
}

function patchLabels(chances: Chances): () => BenchRequest {
  let turn = 0
  return () => {
    const { id, number } = anyCluster(chances)
    const labels = { ...labelsOf(chances.dataset, number), revision: String((turn += 1)) }
    return { method: 'PATCH', path: `/clusters/${id}`, body: JSON.stringify({ labels }) }
  }
}

/** Every adapter of a cluster that has no reports yet; then more adapters of the same clusters. */
function firstReports(chances: Chances): () => BenchRequest {
  const { rows } = chances.dataset
  const block = CLUSTERS_AT_ONCE * CLUSTER_ADAPTERS.length
  let turn = 0
  return () => {
    const within = turn % block
    const cluster = Math.floor(turn / block) * CLUSTERS_AT_ONCE + (within % CLUSTERS_AT_ONCE)
    const adapter = CLUSTER_ADAPTERS[Math.floor(within / CLUSTERS_AT_ONCE)] ?? ''
    const pass = Math.floor(cluster / rows)
    turn += 1
    const path = `/clusters/${idOf(chances, 1 + (cluster % rows))}/statuses`
    return post(path, reportText(pass === 0 ? adapter : `${adapter}-${pass}`, 'True'))
  }
}

/**
 * Reports that say again what was said before. They go round, as a fleet's do: each adapter of each
 * cluster once before the first one comes again, in a scattered order.
 */
function heartbeats(chances: Chances): () => BenchRequest {
  const { dataset, random } = chances
  const count = dataset.rows * CLUSTER_ADAPTERS.length
  const step = strideOf(count)
  let turn = Math.floor(random() * count)
  return () => {
    turn = (turn + step) % count
    const number = 1 + (turn % dataset.rows)
    const adapter = CLUSTER_ADAPTERS[Math.floor(turn / dataset.rows)] ?? ''
    const verdict = verdictOf(stateOf(dataset, number), adapter)
    return post(`/clusters/${idOf(chances, number)}/statuses`, reportText(adapter, verdict))
  }
}

/** A step that comes to every number below `count`, neighbours far apart: near the golden section. */
function strideOf(count: number): number {
  let stride = Math.max(1, Math.floor(count * 0.618))
  while (commonDivisor(stride, count) !== 1) stride += 1
  return stride
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

/** A required adapter changes its mind about one cluster after the other, and then back. */
function flips(chances: Chances): () => BenchRequest {
  const { rows } = chances.dataset
  let turn = 0
  return () => {
    const verdict = Math.floor(turn / rows) % 2 === 0 ? 'False' : 'True'
    const path = `/clusters/${idOf(chances, 1 + (turn % rows))}/statuses`
    turn += 1
    return post(path, reportText('dns', verdict))
  }
}
