import { type Clock, isSameJson, type JsonObject, pause } from 'flotilla'
import { isConflict, type PlaneClient, readOrNull, type ResourceName } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { STARTS_SANDBOXES, startsNoSandboxes } from '../../../model/starts-sandboxes.ts'
import { OTHER_INSTALLATION } from './runtime-entry.ts'

const RUNTIMES: ResourceName = {
  group: 'sandbox.flotilla.dev',
  version: 'v1alpha1',
  plural: 'sandboxruntimes',
}
/** The pause between renewals. */
export const RENEW_MS = 5000
const LEASE_SECONDS = 20

/** The description of a runtime by itself. */
export interface RuntimeDescription {
  /** Name of its SandboxRuntime. */
  readonly id: string
  readonly spec: JsonObject
  /** Number of instances. */
  readonly sandboxes: number
  /** Why it rejects calls of this installation; null if it does not. */
  readonly refusal: string | null
  /** Why it starts no sandboxes; null if it does. */
  readonly startProblem: string | null
  /** The isolation classes, as `status.isolation` has them. */
  readonly isolation: readonly JsonObject[]
  /** The images for sandboxes, as `status.images` has them. */
  readonly images: readonly JsonObject[]
  /** How the machine enforces each limit, as `status.limits` has it. */
  readonly limits: readonly JsonObject[]
}

interface Options {
  /** The root plane. */
  readonly client: PlaneClient
  /** Asks the runtime. The lease is not renewed while this fails. */
  readonly describe: () => Promise<RuntimeDescription>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/**
 * Registers a runtime in the root plane and renews its lease. After the disposal the lease expires,
 * and the registration stays, since sandboxes refer to it.
 */
export function registerRuntime(options: Options): AsyncDisposable {
  const closing = new AbortController()
  const ended = renewUntil(options, closing.signal)
  return {
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await ended
    },
  }
}

async function renewUntil(options: Options, signal: AbortSignal): Promise<void> {
  let failed = false
  while (!signal.aborted) {
    try {
      await renewRegistration(options)
      failed = false
    } catch (error) {
      if (!failed && !signal.aborted) options.onError(error)
      failed = true
    }
    await pause(RENEW_MS, signal)
  }
}

/** Registers a runtime, or renews its lease. Returns the time of the renewal. */
export async function renewRegistration(options: Omit<Options, 'onError'>): Promise<string> {
  const description = await options.describe()
  try {
    return await writeRegistration(options, description)
  } catch (error) {
    if (!isConflict(error)) throw error
    // A server that starts also adopts runtimes without a lease: its own, until this is written.
    return writeRegistration(options, description)
  }
}

async function writeRegistration(
  { client, clock }: Pick<Options, 'client' | 'clock'>,
  { id, spec, ...state }: RuntimeDescription,
): Promise<string> {
  const existing = await readOrNull(client, RUNTIMES, { namespace: '', name: id })
  const registered = await writeSpec(client, existing, { id, spec })
  const now = clock()
  const status = statusOf(registered, now, state)
  await client.updateSubresource(RUNTIMES, 'status', { ...registered, status })
  return now.toISOString()
}

async function writeSpec(
  client: PlaneClient,
  existing: ApiObject | null,
  { id, spec }: Pick<RuntimeDescription, 'id' | 'spec'>,
): Promise<ApiObject> {
  if (existing === null) {
    return client.create(RUNTIMES, {
      apiVersion: `${RUNTIMES.group}/${RUNTIMES.version}`,
      kind: 'SandboxRuntime',
      metadata: { name: id },
      spec,
    })
  }
  const { labels, ...described } = isObject(existing['spec']) ? existing['spec'] : {}
  if (isSameJson(described, spec)) return existing
  // Administrators set the labels.
  const wanted = labels === undefined ? spec : { ...spec, labels }
  return client.update(RUNTIMES, { ...existing, spec: wanted })
}

function statusOf(
  { status }: ApiObject,
  now: Date,
  {
    sandboxes,
    refusal,
    startProblem,
    limits,
    isolation,
    images,
  }: Omit<RuntimeDescription, 'id' | 'spec'>,
): JsonObject {
  const known = isObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : []
  const decided = [
    refusal === null
      ? {
          type: 'Ready',
          status: 'True',
          reason: 'LeaseRenewed',
          message: 'The runtime renews its lease.',
        }
      : { type: 'Ready', status: 'False', reason: OTHER_INSTALLATION, message: refusal },
    startProblem === null
      ? { type: STARTS_SANDBOXES, status: 'True', reason: 'Allowed', message: 'Sandboxes start.' }
      : startsNoSandboxes(startProblem),
  ]
  const time = `${now.toISOString().slice(0, 19)}Z`
  return {
    renewTime: now.toISOString(),
    leaseDurationSeconds: LEASE_SECONDS,
    sandboxes,
    ...(isolation.length > 0 && { isolation }),
    ...(limits.length > 0 && { limits }),
    ...(images.length > 0 && { images }),
    conditions: decided.map((condition) => ({
      ...condition,
      lastTransitionTime: unchangedSince(known.filter(isObject), condition) ?? time,
    })),
  }
}

function unchangedSince(
  known: readonly JsonObject[],
  { type, status }: { readonly type: string; readonly status: string },
): string | null {
  const { lastTransitionTime } =
    known.find((each) => each['type'] === type && each['status'] === status) ?? {}
  return typeof lastTransitionTime === 'string' ? lastTransitionTime : null
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
