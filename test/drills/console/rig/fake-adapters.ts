import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, runAdapter } from '../../../../clients/typescript/src/index.ts'
import { cluster } from '../../../../src/hyperfleet/kinds/cluster/kind.ts'

/** The label of clusters that the fake adapters reconcile. */
export const ADAPTED = { rig: 'adapted' } as const

const SEARCH = "labels.rig='adapted'"
const MAX_WORK_MS = 300
/** Repeated reports would make all seeded clusters due, and each lease would then search them. */
const HEARTBEAT_MS = 3_600_000

/** Runs all required adapters of clusters with the SDK's adapter kit. Disposal stops them. */
export function runFakeAdapters(client: Client): AsyncDisposable {
  const stopped = new AbortController()
  const running = cluster.requiredAdapters.map((name) =>
    runAdapter({
      client,
      name,
      kind: 'clusters',
      search: SEARCH,
      heartbeat: HEARTBEAT_MS,
      signal: stopped.signal,
      reconcile: async ({ spec, generation }, { signal }) => {
        await sleep(Math.random() * MAX_WORK_MS, undefined, { signal })
        const { broken } = spec
        if (broken === name) {
          return { available: 'False', reason: 'QuotaExceeded', message: `${name} has no quota` }
        }
        return { available: 'True', reason: 'Applied', data: { appliedGeneration: generation } }
      },
    }),
  )
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await Promise.all(running)
    },
  }
}
