import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { isConflict, isObjectNotFound } from '../client/api-failures.ts'
import type { FleetClient, FleetObject } from '../client/fleet-client.ts'
import type { ResourceName } from '../client/plane-client.ts'
import { startPasses } from '../runtime/passes.ts'
import type { Timers } from '../runtime/timers.ts'

/** The result of a probe, as the condition Available has it. */
export interface Availability {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** Probes the server of an APIService; null for local ones. Must not reject. */
export type ProbeApiService = (service: FleetObject) => Promise<Availability | null>

interface Options {
  readonly fleet: FleetClient
  readonly timers: Timers
  readonly random: () => number
  readonly probe: ProbeApiService
  /** Time between two probes of a server. */
  readonly everyMs?: number
  readonly onError: (error: unknown) => void
}

const API_SERVICES: ResourceName = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  plural: 'apiservices',
}
const RESOURCE = 'apiservices.apiregistration.k8s.io'
const EVERY_MS = 30_000
const CONCURRENCY = 8

/**
 * Probes the servers of the APIServices of all planes, and stores the condition Available. New
 * APIServices are probed immediately.
 */
export async function startAvailabilityController(options: Options): Promise<AsyncDisposable> {
  const { fleet, timers, random, everyMs = EVERY_MS, onError } = options
  const passes = startPasses({
    timers,
    random,
    everyMs,
    onError,
    pass: (signal) => () => probeAll(options, signal),
  })
  const subscription = await fleet.followAll([RESOURCE], {
    onChanges: (changes) => {
      if (changes.some(({ type }) => type === 'ADDED')) passes.request()
    },
    onLost: () => passes.request(),
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await subscription[Symbol.asyncDispose]()
      await passes[Symbol.asyncDispose]()
    },
  }
}

async function probeAll(options: Options, signal: AbortSignal): Promise<void> {
  for await (const page of options.fleet.scan({ resource: RESOURCE })) {
    const waiting = [...page]
    const workers = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
        await probeOne(options, next)
      }
    })
    await Promise.all(workers)
    if (signal.aborted) return
  }
}

async function probeOne(
  { fleet, timers, probe, onError }: Options,
  service: FleetObject,
): Promise<void> {
  const availability = await probe(service)
  if (availability === null) return
  const object = service.object()
  const conditions = conditionsOf(object)
  const known = conditions.find(({ type }) => type === 'Available')
  const { status, reason, message } = availability
  if (known?.['status'] === status && known['reason'] === reason) return
  const now = timers
    .clock()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
  const isSameStatus = known?.['status'] === status
  const lastTransitionTime = isSameStatus ? (known?.['lastTransitionTime'] ?? now) : now
  const condition = { type: 'Available', status, lastTransitionTime, reason, message }
  const others = conditions.filter(({ type }) => type !== 'Available')
  const { plane, name } = service
  const body = {
    metadata: { uid: service.uid },
    status: { conditions: [...others, condition] },
  }
  try {
    await fleet
      .plane(plane)
      .patch(
        API_SERVICES,
        { namespace: '', name },
        { type: 'merge', body },
        { subresource: 'status' },
      )
  } catch (error) {
    // Another writer was faster, or the APIService is gone. The next pass probes again.
    if (!isConflict(error) && !isObjectNotFound(error, name)) onError(error)
  }
}

function conditionsOf({ status }: ApiObject): readonly JsonObject[] {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  return Array.isArray(conditions) ? conditions.filter((item) => isJsonObject(item)) : []
}
