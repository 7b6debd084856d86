import { unreachable } from '../../src/lib/assert.ts'
import { clusterOf, labelsOf } from '../data/cluster.ts'
import { NODE_POOL_ADAPTERS } from '../data/cluster-state.ts'
import { SEARCHES } from '../data/searches.ts'
import { type BenchRequest, get, post } from './bench-request.ts'
import type { Operation } from './operation.ts'
import { createObjects, getObject, listObjects } from './object-requests.ts'
import { firstReports, flips, heartbeats, reportText } from './report-requests.ts'
import { anyCluster, anyNodePool, anyOf, type SourceContext } from './source-context.ts'

/** Produces the requests of one operation, each different from the previous one. */
export interface RequestSource {
  readonly operation: string
  readonly expectedStatus: number
  /** Statuses with which an overloaded server may reject a request. */
  readonly rejectionStatuses: readonly number[]
  next(): BenchRequest
}

const TOO_MANY_REQUESTS = 429
const UNAVAILABLE = 503
const PREPARED_SPECS = 200
const PREPARED_LARGE_SPECS = 4
const LARGE_SPEC_BYTES = 100_000

export function requestSource(operation: Operation, context: SourceContext): RequestSource {
  const source = (expectedStatus: number, next: () => BenchRequest): RequestSource => {
    const rejectionStatuses =
      'mayBeUnavailable' in operation ? [TOO_MANY_REQUESTS, UNAVAILABLE] : [TOO_MANY_REQUESTS]
    return { operation: operation.op, expectedStatus, rejectionStatuses, next }
  }
  switch (operation.op) {
    case 'get':
      return source(200, () => get(`/clusters/${anyCluster(context).id}`))
    case 'snapshot':
      return source(200, () => get(`/clusters/${anyCluster(context).id}/snapshot`))
    case 'list':
      return source(200, () =>
        get(`/clusters?page=${operation.page}&pageSize=${operation.pageSize}`),
      )
    case 'poll':
      return source(200, pollPages(context, operation.pageSize))
    case 'search':
      return source(200, () => {
        const text = SEARCHES[operation.form][operation.breadth](context)
        return get(`/clusters?search=${encodeURIComponent(text)}`)
      })
    case 'create':
      return source(201, createClusters(context, operation.specBytes))
    case 'patch':
      return source(200, patchLabels(context))
    case 'report-new':
      return source(201, firstReports(context))
    case 'report-same':
      return source(201, heartbeats(context))
    case 'report-flip':
      return source(201, flips(context))
    case 'list-statuses':
      return source(200, () => get(`/clusters/${anyCluster(context).id}/statuses`))
    case 'list-node-pools':
      return source(200, () => get(`/clusters/${anyCluster(context).id}/nodepools`))
    case 'get-node-pool':
      return source(200, () => get(`/nodepools/${anyNodePool(context)}`))
    case 'report-node-pool':
      return source(201, () => {
        const adapter = anyOf(context, NODE_POOL_ADAPTERS)
        return post(`/nodepools/${anyNodePool(context)}/statuses`, reportText(adapter, 'True'))
      })
    case 'get-object':
      return source(200, () => getObject(context))
    case 'list-objects':
      return source(200, () => listObjects(operation.query))
    case 'create-object':
      return source(201, createObjects(context, operation.planes))
    default:
      return unreachable(operation)
  }
}

/** Polling like an adapter's: all pages in order, then again from the first. */
function pollPages({ dataset }: SourceContext, pageSize: number): () => BenchRequest {
  const pages = Math.max(1, Math.floor(dataset.rows / pageSize))
  let sequence = 0
  return () => get(`/clusters?page=${1 + (sequence++ % pages)}&pageSize=${pageSize}`)
}

function createClusters(
  { dataset, tag }: SourceContext,
  specBytes: readonly [number, number],
): () => BenchRequest {
  const samples = { ...dataset, specBytes }
  const prepared = specBytes[1] > LARGE_SPEC_BYTES ? PREPARED_LARGE_SPECS : PREPARED_SPECS
  const bodies = Array.from({ length: prepared }, (_, index) => {
    const { labels, spec } = clusterOf(samples, dataset.rows + 1 + index)
    return `","labels":${JSON.stringify(labels)},"spec":${JSON.stringify(spec)}}`
  })
  let sequence = 0
  return () => {
    sequence += 1
    const rest = bodies[sequence % prepared]
    return post('/clusters', `{"kind":"Cluster","name":"${tag}-${sequence}${rest}`)
  }
}

function patchLabels(context: SourceContext): () => BenchRequest {
  let sequence = 0
  return () => {
    const { id, number } = anyCluster(context)
    const labels = { ...labelsOf(context.dataset, number), revision: String((sequence += 1)) }
    return { method: 'PATCH', path: `/clusters/${id}`, body: JSON.stringify({ labels }) }
  }
}
