import { FlotillaError } from '../../lib/errors.ts'
import { bodyOfChange, storedObjectOf } from '../../store/objects/model/changed-object.ts'
import type { ObjectChange } from '../../store/objects/model/object-change.ts'
import { objectNotFound } from '../errors/failures.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { Requester, Target } from '../model/object-operations.ts'
import { apiVersionOf, type ResourceVersion, resourceKey } from '../model/resource-type.ts'
import type { OperationsContext } from '../operations/context.ts'
import { queryByName } from '../operations/reads/read-object.ts'
import {
  oneToVersion,
  storedObject,
  versionOf,
  withReadDefaults,
} from '../operations/versioned-object.ts'

/** The condition and the status that end a wait. */
export interface AwaitedState {
  readonly isReached: (object: ApiObject) => boolean
  /** The end of the message if the object does not reach the state in time. */
  readonly describe: (object: ApiObject) => string
}

interface WaitLimits {
  readonly timeoutMs: number
  /** Ends the wait. */
  readonly signal: AbortSignal
  readonly requester: Pick<Requester, 'wait'>
}

/**
 * Returns the object when it has reached a state. 504 after the timeout, 404 if the object does not
 * exist or is deleted.
 */
export type WaitForState = (
  target: Target,
  state: AwaitedState,
  limits: WaitLimits,
) => Promise<ApiObject>

type Context = Pick<OperationsContext, 'convert' | 'natives' | 'storeOf'>

/** Creates the function that waits for objects. It follows changes and does not poll. */
export function createWaitForState(context: Context): WaitForState {
  return async (target, { isReached, describe }, { timeoutMs, signal, requester }) => {
    const until = performance.now() + timeoutMs
    for (let isLast = false; ;) {
      const { object, revision } = await read(context, target)
      if (isReached(object)) return object
      if (isLast) throw timedOut(target, describe(object))
      const leftMs = until - performance.now()
      const waiting = { after: revision, leftMs, signal, isReached }
      const next = () => nextChange(context, target, waiting)
      const event = await (requester.wait?.(next) ?? next())
      if (event === 'aborted') throw new FlotillaError('unavailable', 'The server is shutting down')
      isLast = event === 'timeout'
    }
  }
}

/** An object, and the revision of the plane at which it was read. */
interface Read {
  readonly object: ApiObject
  readonly revision: bigint
}

async function read(context: Context, target: Target): Promise<Read> {
  const { type, name } = target
  const { objects, revision } = await context.storeOf(type).list(queryByName(target))
  const [stored] = objects
  if (!stored) throw objectNotFound(type, name)
  return { object: await oneToVersion(context, target, stored), revision }
}

interface Waiting extends Pick<AwaitedState, 'isReached'> {
  readonly after: bigint
  readonly leftMs: number
  readonly signal: AbortSignal
}

type Outcome = 'change' | 'timeout' | 'aborted'

/**
 * Waits for a change after a revision with which the object may have reached the state. Lost changes
 * count as one.
 */
async function nextChange(
  context: Context,
  target: Target,
  { after, leftMs, signal, isReached }: Waiting,
): Promise<Outcome> {
  const { plane, type, namespace, name } = target
  const concerns = (change: ObjectChange): boolean =>
    change.name === name &&
    change.namespace === namespace &&
    mayReach(context, target, { change, isReached })
  let end: (outcome: Outcome) => void = () => undefined
  const ended = new Promise<Outcome>((resolve) => (end = resolve))
  const abort = (): void => end('aborted')
  const timer = setTimeout(() => end('timeout'), Math.max(0, leftMs))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    const scope = { plane, resource: resourceKey(type) }
    using _subscription = await context.storeOf(type).follow(scope, after, {
      onChanges: (changes) => {
        if (changes.some(concerns)) end('change')
      },
      onLost: () => end('change'),
      ready: () => Promise.resolve(),
    })
    return await ended
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** False if a read of the changed object would show that it has not reached the state. */
function mayReach(
  { natives }: Context,
  { type, version }: Target,
  { change, isReached }: Pick<Waiting, 'isReached'> & { readonly change: ObjectChange },
): boolean {
  const native = type.isCustom ? undefined : natives.get(resourceKey(type))
  // Reads can show more than changes.
  const isComputed = native?.complete !== undefined || native?.store !== undefined
  if (change.type === 'DELETED' || isComputed) return true
  const isConverted = bodyOfChange(change)['apiVersion'] !== apiVersionOf(type.group, version)
  return isConverted || isReached(readOf(change, { type, version }))
}

interface ReadChange {
  readonly declared: ResourceVersion
  readonly object: ApiObject
}

const READS = new WeakMap<ObjectChange, ReadChange>()

/** The object after a change as reads show it, made once for all waits: there can be thousands. */
function readOf(change: ObjectChange, served: Pick<Target, 'type' | 'version'>): ApiObject {
  const declared = versionOf(served.type, served.version)
  const known = READS.get(change)
  if (known?.declared === declared) return known.object
  const object = withReadDefaults(storedObject(storedObjectOf(change)), served)
  READS.set(change, { declared, object })
  return object
}

function timedOut({ type, name }: Target, detail: string): KubeError {
  return new KubeError('timeout', `timed out waiting for ${type.plural} "${name}": ${detail}`, {
    code: 504,
    statusReason: 'Timeout',
    details: { name, group: type.group, kind: type.plural },
  })
}
