import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../../clients/typescript/src/index.ts'
import { clusterId } from '../../../../bench/data/cluster.ts'

/** Changes that a generator has made through the API. */
export interface ChangeGenerator {
  readonly count: number
  /** Stops and waits for requests in progress. Rejects if a change failed. */
  stop(): Promise<void>
}

interface Options {
  readonly client: Client
  /** The numbers of the first and the last seeded cluster to change. */
  readonly between: readonly [number, number]
  readonly perSecond: number
}

const TICK_MS = 50
const MAX_CONCURRENT = 64

/** Changes random clusters at a constant rate: reports, labels and specs. */
export function generateChanges({
  client,
  between: [first, last],
  perSecond,
}: Options): ChangeGenerator {
  const stopped = new AbortController()
  const inProgress = new Set<Promise<void>>()
  const generations = new Map<string, number>()
  let count = 0
  const change = async (): Promise<void> => {
    const id = clusterId(first + Math.floor(Math.random() * (last - first + 1)))
    await changeCluster({ client, id, generations }, Math.random())
    count += 1
  }
  const run = async (): Promise<void> => {
    const start = performance.now()
    let started = 0
    while (!stopped.signal.aborted) {
      const due = ((performance.now() - start) / 1000) * perSecond
      for (; started < due && !stopped.signal.aborted; started += 1) {
        if (inProgress.size >= MAX_CONCURRENT) await Promise.race(inProgress)
        const one = change().finally(() => inProgress.delete(one))
        inProgress.add(one)
      }
      await sleep(TICK_MS)
    }
    await Promise.all(inProgress)
  }
  const running = run()
  // `stop` reports a failure.
  running.catch(() => undefined)
  return {
    get count() {
      return count
    },
    stop: async () => {
      stopped.abort()
      await running
    },
  }
}

interface Target {
  readonly client: Client
  readonly id: string
  /** Of clusters whose spec the generator has changed. Adapters know them too, from their leases. */
  readonly generations: Map<string, number>
}

/** Of ten changes, six are reports, three change labels, and one changes the spec. */
async function changeCluster({ client, id, generations }: Target, random: number): Promise<void> {
  const round = Math.floor(random * 1e6)
  if (random < 0.6) {
    const isFailed = round % 4 === 0
    await client.statuses.create(id, {
      adapter: 'hypershift',
      observed_generation: generations.get(id) ?? 1,
      conditions: [
        isFailed
          ? { type: 'Available', status: 'False', reason: 'NodesLost', message: `${round} nodes` }
          : { type: 'Available', status: 'True', reason: 'Provisioned', message: `run ${round}` },
        { type: 'Applied', status: 'True', reason: 'Applied', message: '' },
        { type: 'Health', status: 'True', reason: 'Healthy', message: '' },
      ],
    })
  } else if (random < 0.9) {
    await client.clusters.mergePatch(id, { labels: { wave: String(round % 10) } })
  } else {
    const { generation } = await client.clusters.mergePatch(id, { spec: { replicas: round % 40 } })
    generations.set(id, generation)
  }
}
