import { Invalid } from '../errors/status-errors.ts'
import type { Resource } from '../generated/hyperfleet.ts'
import {
  type AdapterKinds,
  type AdapterOptions,
  HEARTBEAT_MS,
  type Reconcile,
} from './adapter-options.ts'
import { resultOfFailure, retryDelay } from './result-of-failure.ts'
import { runLeases } from './run-leases.ts'

const KINDS = { clusters: 'Cluster', nodepools: 'NodePool' } as const
const MAX_AGE_SECONDS = 604_800
const MAX_DELAY_SECONDS = 86_400

/** Runs an adapter that shares its work with other processes, by leases. */
export async function runShared<K extends keyof AdapterKinds>({
  kind,
  reconcile,
  finalize,
  heartbeat = HEARTBEAT_MS,
  onEvent,
  ...options
}: AdapterOptions<K>): Promise<void> {
  const isServed = (resource: Resource): resource is AdapterKinds[K] =>
    resource.kind === KINDS[kind]
  const asKind = (resource: Resource): AdapterKinds[K] => {
    if (isServed(resource)) return resource
    throw new TypeError(`the server leased a resource of the kind ${resource.kind}`)
  }
  /** Failures in a row by ID. A report ends the attempts that the server counts. */
  const failures = new Map<string, number>()
  const reporting =
    (work: Reconcile<AdapterKinds[K]>): Reconcile<Resource> =>
    async (resource, context) => {
      const { id } = resource
      try {
        const result = await work(asKind(resource), context)
        failures.delete(id)
        return result
      } catch (error) {
        if (context.signal.aborted) throw error
        onEvent?.({ type: 'failed', id, error })
        const count = (failures.get(id) ?? 0) + 1
        failures.set(id, count)
        return { ...resultOfFailure(error), again: retryDelay(count, error) }
      }
    }
  const maxAgeSeconds = secondsOf(heartbeat, MAX_AGE_SECONDS)
  await runLeases(
    {
      ...options,
      kinds: [KINDS[kind]],
      maxAgeSeconds,
      reconcile: reporting(reconcile),
      finalize: finalize && reporting(finalize),
      onEvent: (event) =>
        onEvent?.(event.type === 'failed' ? event : { ...event, resource: asKind(event.resource) }),
    },
    (attempt, failure) =>
      // A repetition fails again. The next heartbeat or change tries once more.
      failure === null || failure instanceof Invalid
        ? Math.min(maxAgeSeconds, MAX_DELAY_SECONDS)
        : secondsOf(retryDelay(attempt, failure), MAX_DELAY_SECONDS),
  )
}

/** Whole seconds, at least 1. */
function secondsOf(ms: number, max: number): number {
  return Math.min(max, Math.max(1, Math.floor(ms / 1000)))
}
