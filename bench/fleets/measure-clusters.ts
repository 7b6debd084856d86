import { connectClient } from '../servers/http-client.ts'
import type { FleetBench } from './fleet-bench.ts'

const CLUSTERS = 1000
const CONNECTIONS = [1, 16]

/** The baselines: clusters by single requests and by one bulk request. */
export async function measureClusters(bench: FleetBench): Promise<void> {
  for (const connections of CONNECTIONS) await measureSingle(bench, connections)
  await measureBulk(bench)
}

function clusterOf(name: string): object {
  return { kind: 'Cluster', name, spec: {}, labels: { purpose: 'bench' } }
}

async function measureSingle({ target, fact }: FleetBench, connections: number): Promise<void> {
  await using client = connectClient(target.origin, connections)
  const start = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < CLUSTERS) {
        const body = clusterOf(`single-${connections}-${(next += 1)}`)
        const { status, text } = await client.request('POST', '/clusters', body)
        if (status !== 201) throw new Error(`POST /clusters: ${status} ${text.slice(0, 300)}`)
      }
    }),
  )
  const elapsed = performance.now() - start
  fact(`${CLUSTERS} clusters by single requests, ${connections} connections`, elapsed, 'ms')
}

async function measureBulk({ target, fact }: FleetBench): Promise<void> {
  await using client = connectClient(target.origin, 1)
  const items = Array.from({ length: CLUSTERS }, (_item, index) => clusterOf(`bulk-${index}`))
  const start = performance.now()
  const { status, text } = await client.request('POST', '/clusters/bulk', { items })
  const elapsed = performance.now() - start
  const created = status === 200 ? JSON.parse(text).created : 0
  if (created !== CLUSTERS) throw new Error(`POST /clusters/bulk: ${status} ${text.slice(0, 300)}`)
  fact(`${CLUSTERS} clusters by one bulk request`, elapsed, 'ms')
}
