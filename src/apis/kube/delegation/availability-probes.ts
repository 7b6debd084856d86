import type { FleetReader } from '../../../core/objects/model/fleet-query.ts'
import type { ObjectKey, StoredObject } from '../../../core/objects/model/stored-object.ts'
import type { Clock } from '../../../lib/clock.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { pause } from '../../../lib/async/pause.ts'
import type { ObjectOperations, Requester } from '../model/object-operations.ts'
import { API_SERVICE_TYPE } from '../native/api-registration/api-service-type.ts'
import { API_SERVICES, type Delegate, parseDelegate } from './delegate.ts'
import type { Availability } from './probe-delegate.ts'

interface Options {
  readonly fleet: FleetReader
  readonly operations: Pick<ObjectOperations, 'patch'>
  /** The author of the conditions; with a fence if a leader probes. */
  readonly requester: Requester
  readonly probe: (delegate: Delegate) => Promise<Availability>
  readonly intervalMs: number
  readonly clock: Clock
  /** Ends the probes. */
  readonly signal: AbortSignal
  readonly onError: (error: unknown) => void
}

const PAGE = 200
const CONCURRENCY = 8
const VERSION = 'v1'

/**
 * Probes the servers of all APIServices at an interval and stores the condition Available. The
 * servers that handle requests read it. Resolves when the signal is aborted.
 */
export async function runAvailabilityProbes(options: Options): Promise<void> {
  const { signal, intervalMs, onError } = options
  while (!signal.aborted) {
    try {
      await probeAll(options)
    } catch (error) {
      onError(error)
    }
    await pause(intervalMs, signal)
  }
}

async function probeAll({ fleet, ...options }: Options): Promise<void> {
  let after: ObjectKey | null = null
  for (;;) {
    const page: readonly StoredObject[] = await fleet.read({
      resource: API_SERVICES,
      after,
      limit: PAGE,
    })
    const waiting = [...page]
    const workers = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (!options.signal.aborted) await probeOne(options, next)
      }
    })
    await Promise.all(workers)
    after = page.at(-1) ?? null
    if (page.length < PAGE || options.signal.aborted) return
  }
}

async function probeOne(options: Omit<Options, 'fleet'>, object: StoredObject): Promise<void> {
  const delegate = parseDelegate(object)
  if (delegate === null) return
  const { operations, requester, probe, clock, onError } = options
  const availability = await probe(delegate)
  const conditions = conditionsOf(object.body)
  const known = conditions.find(({ type }) => type === 'Available')
  const { status, reason, message } = availability
  if (known?.['status'] === status && known['reason'] === reason) return
  const changed = clock()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
  const lastTransitionTime =
    known?.['status'] === status ? (known['lastTransitionTime'] ?? changed) : changed
  const condition = { type: 'Available', status, lastTransitionTime, reason, message }
  const others = conditions.filter(({ type }) => type !== 'Available')
  const { plane, name, revision } = object
  try {
    await operations.patch(
      requester,
      {
        plane,
        type: API_SERVICE_TYPE,
        version: VERSION,
        namespace: '',
        name,
        subresource: 'status',
      },
      {
        type: 'merge',
        body: {
          metadata: { resourceVersion: String(revision) },
          status: { conditions: [...others, condition] },
        },
      },
    )
  } catch (error) {
    // The next round probes again, for example after a conflict.
    onError(error)
  }
}

function conditionsOf({ status }: JsonObject): readonly JsonObject[] {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  return Array.isArray(conditions) ? conditions.filter((item) => isJsonObject(item)) : []
}
