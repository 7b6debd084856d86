import { weightedChoice } from '../data/weighted-choice.ts'
import { reportBody } from '../data/report-body.ts'
import type { HttpResponse } from '../servers/http-client.ts'
import type { Fleet, SentReport, WriteTarget } from './fleet.ts'
import type { Latencies } from './latencies.ts'
import type { Recorder } from './recorder.ts'
import type { ServerPair } from './server-pair.ts'

/** The shared state of the writers of a run. */
export interface Load {
  readonly servers: ServerPair
  readonly fleet: Fleet
  readonly latencies: Latencies
  readonly recorder: Recorder
  /** Writers create no more resources than this. */
  readonly maxResources: number
  readonly signal: AbortSignal
  /** Number of writes without a response. */
  lost: number
}

type Operation = (load: Load) => Promise<void>

const chooseOperation = weightedChoice<Operation>([
  [4, createCluster],
  [6, createNodePool],
  [14, patchSpec],
  [16, patchLabels],
  [38, flip],
  [12, heartbeat],
  [5, remove],
  [3, forceDelete],
  [2, finalize],
])

const CREWS = ['blue', 'red', 'green', 'none']

/** Sends writes one at a time, each to a random server, until the signal aborts. */
export async function runWriter(load: Load): Promise<void> {
  while (!load.signal.aborted) await chooseOperation()(load)
}

interface WriteRequest {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly body?: object
}

interface ServerResponse extends HttpResponse {
  /** The number of the server that responded. */
  readonly server: number
}

/** Null if the connection ended before the response. */
async function send(
  { servers, recorder }: Load,
  request: WriteRequest,
): Promise<ServerResponse | null> {
  const { operation, method, path, body } = request
  const server = servers.any()
  const start = performance.now()
  try {
    const response = await server.client.request(method, path, body)
    recorder.record(operation, response.status, performance.now() - start)
    return { ...response, server: server.number }
  } catch {
    return null
  }
}

async function createCluster(load: Load): Promise<void> {
  const { fleet } = load
  if (fleet.size > load.maxResources) return
  const sequence = fleet.nextSequence()
  const body = {
    kind: 'Cluster',
    name: `rebuilt-${sequence}`,
    spec: specOf(sequence),
    labels: labelsOf(),
  }
  const operation = 'create cluster'
  const response = await send(load, { operation, method: 'POST', path: '/clusters', body })
  if (response?.status === 201) fleet.add(JSON.parse(response.text))
  if (response === null) load.lost += 1
}

async function createNodePool(load: Load): Promise<void> {
  const { fleet } = load
  const cluster = fleet.pick(({ kind, isBeingDeleted }) => kind === 'Cluster' && !isBeingDeleted)
  if (!cluster || fleet.size > load.maxResources) return
  const sequence = fleet.nextSequence()
  const body = {
    kind: 'NodePool',
    name: `pool-${sequence % 10_000_000}`,
    spec: specOf(sequence),
    labels: labelsOf(),
  }
  const path = `${cluster.path}/nodepools`
  await write(load, cluster, {
    operation: 'create node pool',
    method: 'POST',
    path,
    body,
    onResponse: (response) => {
      if (response.status === 201) fleet.add(JSON.parse(response.text))
    },
  })
}

async function patchSpec(load: Load): Promise<void> {
  await patch(load, 'patch spec', (sequence) => ({ spec: specOf(sequence) }))
}

async function patchLabels(load: Load): Promise<void> {
  await patch(load, 'patch labels', () => ({ labels: labelsOf() }))
}

async function patch(
  load: Load,
  operation: string,
  change: (sequence: number) => object,
): Promise<void> {
  const { fleet, latencies } = load
  const target = fleet.pick(({ isBeingDeleted }) => !isBeingDeleted)
  if (!target) return
  const sequence = fleet.nextSequence()
  const body = { ...change(sequence), annotations: { sequence: String(sequence) } }
  await write(load, target, {
    operation,
    method: 'PATCH',
    path: target.path,
    body,
    onResponse: ({ status, text, server }) => {
      if (status !== 200) return
      target.generation = JSON.parse(text).generation
      latencies.acknowledged({ id: target.id, sequence, server })
    },
  })
}

async function flip(load: Load): Promise<void> {
  const target = load.fleet.pick(() => true)
  const adapter = target?.adapters[Math.floor(Math.random() * target.adapters.length)]
  if (!target || adapter === undefined) return
  const status = Math.random() < 0.3 ? 'False' : 'True'
  const body = {
    ...reportBody({ adapter, status, observedTime: new Date().toISOString() }),
    observed_generation: target.generation,
    data: { sequence: load.fleet.nextSequence() },
  }
  await report(load, target, { operation: 'report', adapter, body })
}

/** Repeats the last report of an adapter with a new time. */
async function heartbeat(load: Load): Promise<void> {
  const target = load.fleet.pick(({ reports }) => reports.size > 0)
  const [last] = target?.reports ?? []
  if (!target || !last) return
  const [adapter, lastBody] = last
  const body = { ...lastBody, observed_time: new Date().toISOString() }
  await report(load, target, { operation: 'heartbeat', adapter, body })
}

interface Report {
  readonly operation: string
  readonly adapter: string
  readonly body: SentReport
}

async function report(
  load: Load,
  target: WriteTarget,
  { operation, adapter, body }: Report,
): Promise<void> {
  const path = `${target.path}/statuses`
  await write(load, target, {
    operation,
    method: 'POST',
    path,
    body,
    onResponse: ({ status }) => {
      if (status === 201) target.reports.set(adapter, body)
    },
  })
}

async function remove(load: Load): Promise<void> {
  const target = load.fleet.pick(({ isBeingDeleted, isKept }) => !isBeingDeleted && !isKept)
  if (!target) return
  await write(load, target, {
    operation: 'delete',
    method: 'DELETE',
    path: target.path,
    onResponse: ({ status }) => {
      if (status === 202) target.isBeingDeleted = true
    },
  })
}

async function forceDelete(load: Load): Promise<void> {
  const target = load.fleet.pick(({ isBeingDeleted }) => isBeingDeleted)
  if (!target) return
  const path = `${target.path}/force-delete`
  const body = { reason: 'rebuild check' }
  await write(load, target, {
    operation: 'force-delete',
    method: 'POST',
    path,
    body,
    onResponse: ({ status }) => {
      if (status === 204) load.fleet.drop(target)
    },
  })
}

/** Sends a finalized report of every adapter. The last one removes the resource if it has no children. */
async function finalize(load: Load): Promise<void> {
  const target = load.fleet.pick(({ isBeingDeleted }) => isBeingDeleted)
  if (!target) return
  await hold(load, target, async () => {
    const { path } = target
    const read: Attempt = {
      operation: 'get',
      method: 'GET',
      path,
      onResponse: ({ status, text }) => {
        if (status === 200) target.generation = JSON.parse(text).generation
      },
    }
    const isRead = await attempt(load, target, read)
    if (!isRead) return false
    for (const adapter of target.adapters) {
      const body = finalizedReport(target, adapter, load.fleet.nextSequence())
      const request = { operation: 'finalized', method: 'POST', path: `${path}/statuses`, body }
      if (!(await attempt(load, target, request))) return false
    }
    return true
  })
}

function finalizedReport({ generation }: WriteTarget, adapter: string, sequence: number): object {
  const observedTime = new Date().toISOString()
  const body = reportBody({ adapter, status: 'False', observedTime })
  return {
    ...body,
    observed_generation: generation,
    data: { sequence },
    conditions: [...body.conditions, { type: 'Finalized', status: 'True' }],
  }
}

interface Attempt extends WriteRequest {
  readonly onResponse?: (response: ServerResponse) => void
}

/** Sends a single write while holding the resource. */
async function write(load: Load, target: WriteTarget, request: Attempt): Promise<void> {
  await hold(load, target, () => attempt(load, target, request))
}

/**
 * Keeps other writers away from a resource, so that its sequence numbers ascend. Drops the resource
 * after a write without a response, because a killed server's transaction may still commit.
 */
async function hold(load: Load, target: WriteTarget, work: () => Promise<boolean>): Promise<void> {
  target.isBusy = true
  if (await work()) {
    target.isBusy = false
    return
  }
  load.lost += 1
  load.fleet.drop(target)
}

/** Sends a write. Returns false without a response. */
async function attempt(load: Load, target: WriteTarget, request: Attempt): Promise<boolean> {
  const response = await send(load, request)
  if (response === null) return false
  if (response.status === 404) load.fleet.drop(target)
  // Deleting a cluster also deletes its node pools, which the fleet does not track.
  if (response.status === 409) target.isBeingDeleted = true
  request.onResponse?.(response)
  return true
}

function specOf(sequence: number): object {
  return { sequence, region: `region-${sequence % 7}`, text: 'x'.repeat(300) }
}

function labelsOf(): object {
  return { crew: CREWS[Math.floor(Math.random() * CREWS.length)], shard: String(Date.now() % 50) }
}
