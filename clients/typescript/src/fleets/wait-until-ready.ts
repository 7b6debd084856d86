import { createApiError } from '../errors/create-api-error.ts'
import { FleetDegraded, FleetTimeout } from '../errors/fleet-errors.ts'
import type { Fleet as FleetObject } from '../generated/kplane.ts'
import { linkedAbort } from '../http/linked-abort.ts'
import type { Transport } from '../http/transport.ts'
import type { WaitOptions } from '../resources/wait-for.ts'
import { follow } from '../watch/follow.ts'
import { watchedObjects } from '../watch/watched-objects.ts'
import { fleetPath } from './fleet-path.ts'
import { fleetState } from './fleet-status.ts'
import { readMembers } from './read-members.ts'

const TIMEOUT_MS = 120_000
/** The limit of the search for missing members after a timeout. */
const MISSING_TIMEOUT_MS = 5_000

/** Watches a fleet until it is ready. Returns the last version of the object. */
export async function waitUntilReady(
  transport: Transport,
  name: string,
  { signal, timeout = TIMEOUT_MS }: WaitOptions,
): Promise<FleetObject> {
  const link = linkedAbort(signal)
  link.limit(timeout)
  const query = { fieldSelector: `metadata.name=${name}` }
  const list = watchedObjects<FleetObject>(fleetPath(), { query, signal: link.signal })
  let isKnown = false
  try {
    for await (const event of follow(transport, list, { signal: link.signal })) {
      const isMissing = event.type === 'BOOKMARK' && !isKnown
      if (event.type === 'DELETED' || isMissing) throw removed(name)
      isKnown = event.type !== 'RESET'
      if (!('object' in event)) continue
      if (isReady(event.object)) return event.object
      await failIfDegraded(transport, event.object, link.signal)
    }
    throw removed(name)
  } catch (error) {
    signal?.throwIfAborted()
    if (!link.isExpired()) throw error
    const missing = await missingMembers(transport, name, signal)
    const message = `fleet ${name} was not ready after ${timeout} ms: ${missing.length} members are missing`
    throw new FleetTimeout(message, missing, { cause: error })
  } finally {
    link.close()
  }
}

function isReady(fleet: FleetObject): boolean {
  const { observedGeneration, readyReplicas } = fleetState(fleet)
  return isCurrent(fleet, observedGeneration) && readyReplicas >= fleet.spec.replicas
}

async function failIfDegraded(
  transport: Transport,
  fleet: FleetObject,
  signal: AbortSignal,
): Promise<void> {
  const { conditions, observedGeneration, failedReplicas } = fleetState(fleet)
  const degraded = conditions.find(({ type }) => type === 'Degraded')
  if (degraded?.status !== 'True' || !isCurrent(fleet, observedGeneration)) return
  const name = fleet.metadata.name ?? ''
  const failed = []
  for await (const { items } of readMembers(transport, name, { phase: 'Failed', signal })) {
    failed.push(...items)
  }
  const message = `fleet ${name} is degraded: ${failedReplicas} members failed: ${degraded.message}`
  throw new FleetDegraded(message, failed)
}

function isCurrent({ metadata }: FleetObject, observedGeneration: number): boolean {
  return observedGeneration >= (metadata.generation ?? 0)
}

/** The names of the members that are not ready; empty if the server does not respond either. */
async function missingMembers(
  transport: Transport,
  name: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const missing: string[] = []
  const link = linkedAbort(signal)
  link.limit(MISSING_TIMEOUT_MS)
  try {
    for await (const { items } of readMembers(transport, name, { signal: link.signal })) {
      missing.push(...items.filter(({ phase }) => phase !== 'Ready').map((one) => one.clusterID))
    }
  } catch {
    // The timeout matters more than a failure to describe it.
  } finally {
    link.close()
  }
  return missing
}

function removed(name: string): Error {
  return createApiError({
    status: 404,
    code: 'Removed',
    message: `fleet ${name} was deleted before or during the wait`,
    requestId: null,
    errors: [],
    retryAfter: null,
  })
}
