import { CLUSTER_ADAPTERS } from '../data/cluster-state.ts'
import { weightedChoice } from '../data/weighted-choice.ts'
import type { Client, HttpResponse } from '../servers/http-client.ts'
import type { Cluster, Fleet } from './fleet.ts'
import type { Recorder } from './recorder.ts'

interface Job {
  readonly client: Client
  readonly recorder: Recorder
  readonly fleet: Fleet
  /** A time of `performance.now()`. */
  readonly end: number
}

type Operation = (job: Job) => Promise<void>

const chooseOperation = weightedChoice<Operation>([
  [4, create],
  [46, report],
  [4, patch],
  [20, get],
  [10, list],
  [8, search],
  [8, listStatuses],
])

/** Below this number of clusters, workers only create. */
const MIN_CLUSTERS = 20

/** Sends requests over one connection until the end of the run. */
export async function runWorker(job: Job): Promise<void> {
  while (performance.now() < job.end) {
    const operation = job.fleet.clusters.length < MIN_CLUSTERS ? create : chooseOperation()
    await operation(job)
  }
}

interface LoadRequest {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** Null without a response. */
async function send({ client, recorder }: Job, request: LoadRequest): Promise<HttpResponse | null> {
  const { operation, method, path, body } = request
  const start = performance.now()
  try {
    const response = await client.request(method, path, body)
    recorder.record(operation, response.status, performance.now() - start)
    return response
  } catch (error) {
    recorder.fail(operation, String(error))
    return null
  }
}

async function create(job: Job): Promise<void> {
  const { fleet } = job
  const number = fleet.nextNumber()
  const name = `${fleet.run}-${number}`
  const body = {
    kind: 'Cluster',
    name,
    spec: {
      turn: 0,
      region: `region-${number % 7}`,
      nodes: Array.from({ length: 20 }, (_, n) => ({ n })),
    },
    labels: { run: fleet.run, shard: String(number % 50) },
  }
  const response = await send(job, { operation: 'create', method: 'POST', path: '/clusters', body })
  if (response?.status !== 201) return
  const { id } = JSON.parse(response.text)
  fleet.clusters.push({
    id,
    name,
    generation: 1,
    reports: new Map(),
    busy: new Set(),
    uncertain: false,
  })
}

async function report(job: Job): Promise<void> {
  const cluster = job.fleet.pick()
  const adapter = CLUSTER_ADAPTERS[Math.floor(Math.random() * CLUSTER_ADAPTERS.length)]
  if (!cluster || adapter === undefined) return
  await exclusively(cluster, adapter, async () => {
    const status = Math.random() < 0.1 ? 'False' : 'True'
    const { generation } = cluster
    const seq = job.fleet.nextNumber()
    const body = {
      adapter,
      observed_generation: generation,
      observed_time: new Date().toISOString(),
      conditions: [{ type: 'Available', status, reason: 'Load', message: `it is ${status}` }],
      data: { seq },
      metadata: { job_name: `job-${seq}`, attempt: 1 },
    }
    const path = `/clusters/${cluster.id}/statuses`
    const response = await send(job, { operation: 'report', method: 'POST', path, body })
    if (response?.status === 201) cluster.reports.set(adapter, { generation, status, seq })
    else cluster.uncertain = true
  })
}

async function patch(job: Job): Promise<void> {
  const cluster = job.fleet.pick()
  if (!cluster) return
  await exclusively(cluster, 'spec', async () => {
    const body = { spec: { turn: job.fleet.nextNumber() } }
    const path = `/clusters/${cluster.id}`
    const response = await send(job, { operation: 'patch', method: 'PATCH', path, body })
    if (response?.status === 200) cluster.generation += 1
    else cluster.uncertain = true
  })
}

/**
 * Skips the work if another connection is writing the same `part`, because the order of two concurrent
 * writes would be unknown.
 */
async function exclusively(
  cluster: Cluster,
  part: string,
  work: () => Promise<void>,
): Promise<void> {
  if (cluster.busy.has(part)) return
  cluster.busy.add(part)
  await work()
  cluster.busy.delete(part)
}

async function get(job: Job): Promise<void> {
  const cluster = job.fleet.pick()
  if (cluster) await send(job, { operation: 'get', method: 'GET', path: `/clusters/${cluster.id}` })
}

async function list(job: Job): Promise<void> {
  const page = 1 + Math.floor(Math.random() * 3)
  await send(job, { operation: 'list', method: 'GET', path: `/clusters?page=${page}` })
}

async function search(job: Job): Promise<void> {
  const shard = Math.floor(Math.random() * 50)
  const text = `labels.run='${job.fleet.run}' and labels.shard='${shard}' and status.conditions.Ready='True'`
  const path = `/clusters?search=${encodeURIComponent(text)}`
  await send(job, { operation: 'search', method: 'GET', path })
}

async function listStatuses(job: Job): Promise<void> {
  const cluster = job.fleet.pick()
  if (!cluster) return
  const path = `/clusters/${cluster.id}/statuses`
  await send(job, { operation: 'list-statuses', method: 'GET', path })
}
