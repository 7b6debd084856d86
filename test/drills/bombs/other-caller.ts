import type { RawClient, RawRequest, RawResponse } from './raw-client.ts'

/** The observations of a caller. */
export interface Seen {
  /** For each request: the requests of other callers, and its own, that ended before it. */
  readonly between: readonly { readonly others: number; readonly own: number }[]
  readonly probes: readonly number[]
  readonly failures: readonly string[]
  readonly events: number
}

interface Options {
  readonly client: RawClient
  readonly health: RawClient
  /** The requests of other callers that have been served. */
  readonly served: () => number
  readonly signal: AbortSignal
}

const CLUSTERS = '/api/hyperfleet/v1/clusters'
const CONFIG_MAPS = '/api/v1/namespaces/kube-public/configmaps'
const MERGE = { 'Content-Type': 'application/merge-patch+json' }

/** Creates what the caller reads and writes. Returns how it works until the signal is aborted. */
export async function prepareCaller(
  client: RawClient,
): Promise<(options: Omit<Options, 'client'>) => Promise<Seen>> {
  const cluster = await client.send(post(CLUSTERS, { kind: 'Cluster', name: 'other', spec: {} }))
  const { id } = JSON.parse(cluster.text)
  const metadata = { name: 'other' }
  await client.send(post(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} }))
  return (options) => work({ ...options, client }, `${CLUSTERS}/${id}`)
}

/** Reads, writes, watches and probes. */
async function work({ client, health, served, signal }: Options, cluster: string): Promise<Seen> {
  const between: { others: number; own: number }[] = []
  const probes: number[] = []
  const failures: string[] = []
  let own = 0
  let events = 0
  const counted = async (request: RawRequest): Promise<void> => {
    const before = { others: served(), own }
    check(request, await client.send(request), failures)
    between.push({ others: served() - before.others, own: own - before.own })
    own += 1
  }
  const untilAborted = async (next: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn += 1) await next(turn)
  }
  const reads = [
    cluster,
    `${CLUSTERS}?pageSize=10`,
    `${CONFIG_MAPS}/other`,
    `${CONFIG_MAPS}?limit=10`,
  ]
  const watch = await client.open(`${cluster.slice(0, cluster.lastIndexOf('/'))}?watch=true`)
  watch.on('data', () => (events += 1))
  watch.on('error', () => undefined)
  await Promise.all([
    untilAborted((turn) => counted({ method: 'GET', path: reads[turn % reads.length] ?? '' })),
    untilAborted((turn) => counted(writeOf(cluster, turn))),
    untilAborted(async (turn) => {
      const before = served()
      const request = { method: 'GET', path: turn % 2 === 0 ? '/readyz' : '/healthz' }
      check(request, await health.send(request), failures)
      probes.push(served() - before)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }),
  ])
  watch.destroy()
  return { between, probes, failures, events }
}

function writeOf(cluster: string, turn: number): RawRequest {
  const [path, part] = turn % 2 === 0 ? [cluster, 'spec'] : [`${CONFIG_MAPS}/other`, 'data']
  return {
    method: 'PATCH',
    path,
    headers: MERGE,
    body: JSON.stringify({ [part]: { turn: String(turn) } }),
  }
}

function check(
  { method, path }: RawRequest,
  { status, text }: RawResponse,
  failures: string[],
): void {
  if (status < 200 || status >= 300)
    failures.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
}

function post(path: string, body: object): RawRequest {
  return { method: 'POST', path, body: JSON.stringify(body) }
}
