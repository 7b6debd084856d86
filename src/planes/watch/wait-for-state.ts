import { FlotillaError } from '../../lib/errors.ts'
import { objectNotFound } from '../errors/failures.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { Requester, Target } from '../model/object-operations.ts'
import { resourceKey } from '../model/resource-type.ts'
import type { OperationsContext } from '../operations/context.ts'
import { queryByName } from '../operations/reads/read-object.ts'
import { oneToVersion } from '../operations/versioned-object.ts'

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

/** Creates the function that waits for objects. It follows changes and does not poll. */
export function createWaitForState(
  context: Pick<OperationsContext, 'storeOf' | 'convert'>,
): WaitForState {
  return async (target, { isReached, describe }, { timeoutMs, signal, requester }) => {
    const until = performance.now() + timeoutMs
    for (;;) {
      const { object, revision } = await read(context, target)
      if (isReached(object)) return object
      const leftMs = until - performance.now()
      const next = () => nextChange(context, target, { after: revision, leftMs, signal })
      const event = await (requester.wait?.(next) ?? next())
      if (event === 'timeout') throw timedOut(target, describe(object))
      if (event === 'aborted') throw new FlotillaError('unavailable', 'The server is shutting down')
    }
  }
}

/** An object, and the revision of the plane at which it was read. */
interface Read {
  readonly object: ApiObject
  readonly revision: bigint
}

async function read(
  context: Pick<OperationsContext, 'storeOf' | 'convert'>,
  target: Target,
): Promise<Read> {
  const { type, name } = target
  const { objects, revision } = await context.storeOf(type).list(queryByName(target))
  const [stored] = objects
  if (!stored) throw objectNotFound(type, name)
  return { object: await oneToVersion(context, target, stored), revision }
}

interface Waiting {
  readonly after: bigint
  readonly leftMs: number
  readonly signal: AbortSignal
}

type Outcome = 'change' | 'timeout' | 'aborted'

/** Waits for a change of the object after a revision. Lost changes count as one. */
async function nextChange(
  { storeOf }: Pick<OperationsContext, 'storeOf'>,
  { plane, type, namespace, name }: Target,
  { after, leftMs, signal }: Waiting,
): Promise<Outcome> {
  let end: (outcome: Outcome) => void = () => undefined
  const ended = new Promise<Outcome>((resolve) => (end = resolve))
  const abort = (): void => end('aborted')
  const timer = setTimeout(() => end('timeout'), Math.max(0, leftMs))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    const scope = { plane, resource: resourceKey(type) }
    using _subscription = await storeOf(type).follow(scope, after, {
      onChanges: (changes) => {
        if (changes.some((each) => each.name === name && each.namespace === namespace)) {
          end('change')
        }
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

function timedOut({ type, name }: Target, detail: string): KubeError {
  return new KubeError('timeout', `timed out waiting for ${type.plural} "${name}": ${detail}`, {
    code: 504,
    statusReason: 'Timeout',
    details: { name, group: type.group, kind: type.plural },
  })
}
