import { must } from '../../../src/lib/assert.ts'
import type { JsonValue } from '../../../src/lib/json/json.ts'
import type { Ledger, LedgerCluster } from './ledger.ts'
import type { LoadClient } from './load-client.ts'
import { type Decided, sendPersistently } from './persistent-request.ts'

export const CLUSTERS = '/api/hyperfleet/v1/clusters'
/** The adapter in whose name the load reports. */
const ADAPTER = 'load'

/** The parts that the requests of one load share. */
export interface LoadContext {
  readonly client: LoadClient
  readonly ledger: Ledger
  /** Aborted when requests are no longer repeated. */
  readonly deadline: AbortSignal
}

/** Creates the cluster with an idempotency key, so that it can be repeated. */
export async function createCluster(context: LoadContext, name: string): Promise<LedgerCluster> {
  const cluster = context.ledger.add(name)
  const decided = await sendPersistently(
    {
      method: 'POST',
      path: CLUSTERS,
      headers: { 'Idempotency-Key': name },
      body: { kind: 'Cluster', name, spec: { counter: 1 } },
    },
    context,
  )
  if (decided?.status === 201) {
    cluster.id = String(decided.body['id'])
    cluster.generation = 1
    context.ledger.acknowledge(decided.startedAt)
  } else if (decided !== null) context.ledger.fail(`create ${name}: ${show(decided)}`)
  return cluster
}

/** Sets the next counter, unless another request with an unknown outcome has just done so. */
export async function patchCluster(context: LoadContext, cluster: LedgerCluster): Promise<void> {
  const { ledger, deadline } = context
  while (!deadline.aborted) {
    const before = cluster.generation
    const tag = await readCluster(context, cluster)
    // The read has found the write of an attempt with an unknown outcome.
    if (tag === null || cluster.generation > before) return
    cluster.attempted = cluster.generation + 1
    const decided = await sendPersistently(
      {
        method: 'PATCH',
        path: pathOf(cluster),
        headers: { 'If-Match': tag },
        body: { spec: { counter: cluster.attempted } },
      },
      context,
    )
    if (decided === null) return
    if (decided.status === 412) {
      ledger.attempts.conflicts += 1
      continue
    }
    if (decided.status === 200) {
      cluster.generation = cluster.attempted
      ledger.acknowledge(decided.startedAt)
    } else onUnexpected(context, cluster, decided)
    return
  }
}

/** Reports on the current generation. */
export async function reportOnCluster(context: LoadContext, cluster: LedgerCluster): Promise<void> {
  const sequence = Math.max(cluster.report, ...cluster.uncertainReports) + 1
  cluster.uncertainReports.add(sequence)
  const decided = await sendPersistently(
    {
      method: 'POST',
      path: `${pathOf(cluster)}/statuses`,
      body: {
        adapter: ADAPTER,
        observed_generation: cluster.generation,
        conditions: [{ type: 'Available', status: sequence % 2 === 0 ? 'True' : 'False' }],
        data: { sequence },
      },
    },
    context,
  )
  if (decided === null) return
  if (decided.status !== 201) {
    onUnexpected(context, cluster, decided)
    return
  }
  cluster.report = sequence
  // A repeated report remains uncertain: its first attempt may replace a later report.
  if (!decided.isRepeated) cluster.uncertainReports.delete(sequence)
  context.ledger.acknowledge(decided.startedAt)
}

export async function deleteCluster(context: LoadContext, cluster: LedgerCluster): Promise<void> {
  cluster.deletion = 'attempted'
  const decided = await sendPersistently({ method: 'DELETE', path: pathOf(cluster) }, context)
  if (decided === null) return
  if (decided.status === 202 || (decided.status === 404 && decided.isRepeated)) {
    cluster.deletion = 'acknowledged'
    context.ledger.acknowledge(decided.startedAt)
  } else onUnexpected(context, cluster, decided)
}

/** Reads the cluster and compares it with the ledger. Returns its ETag, or null if it is lost. */
export async function readCluster(
  context: LoadContext,
  cluster: LedgerCluster,
): Promise<string | null> {
  const decided = await sendPersistently({ method: 'GET', path: pathOf(cluster) }, context)
  if (decided === null) return null
  if (decided.status !== 200) {
    onUnexpected(context, cluster, decided)
    return null
  }
  const problem = compareWithLedger(cluster, decided.body)
  if (problem !== null) context.ledger.lose(problem)
  return decided.headers.etag ?? null
}

/**
 * Compares a read of the cluster with the ledger and returns an acknowledged write that the read
 * lacks. Afterwards the ledger agrees with the read.
 */
export function compareWithLedger(
  cluster: LedgerCluster,
  body: Readonly<Record<string, JsonValue>>,
): string | null {
  const generation = Number(body['generation'])
  const counter = Number(Object(body['spec']).counter)
  const { name, generation: acknowledged, attempted } = cluster
  cluster.generation = generation
  cluster.attempted = Math.max(generation, attempted)
  if (counter !== generation)
    return `${name} has counter ${counter} at its generation ${generation}`
  if (generation < acknowledged) {
    cluster.attempted = generation
    return `${name} has generation ${generation}, and ${acknowledged} was acknowledged`
  }
  if (generation > attempted)
    return `${name} has generation ${generation}, but at most ${attempted} was written`
  return null
}

/** A response 404 means that the cluster is lost. */
function onUnexpected({ ledger }: LoadContext, cluster: LedgerCluster, decided: Decided): void {
  if (decided.status !== 404) {
    ledger.fail(`${cluster.name}: ${show(decided)}`)
    return
  }
  ledger.lose(`${cluster.name} is not found`)
  ledger.clusters.delete(cluster.name)
  cluster.deletion = 'acknowledged'
}

function pathOf({ id, name }: LedgerCluster): string {
  return `${CLUSTERS}/${must(id, `the ID of ${name}`)}`
}

function show({ status, body }: Decided): string {
  return `${status} ${JSON.stringify(body)}`
}
