import { requestSignal } from '../../http/requests/request-signal.ts'
import { badRequest } from '../errors/failures.ts'
import { versionOf } from '../operations/versioned-object.ts'
import { waitOptionsOf } from '../requests/awaited-condition.ts'
import { sendObject } from '../verbs/send-object.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'
import { conditionState } from './awaited-state.ts'
import type { WaitForState } from './wait-for-state.ts'

/** Serves GET of an object with a condition to wait for. */
export type ServeWait = (verb: VerbRequest) => Promise<void>

/** Creates the function that serves such requests. Shutdown ends them with 503. */
export function createServeWait(waitFor: WaitForState, closing: AbortSignal): ServeWait {
  return async (verb) => {
    const { target, query, requester, response } = verb
    const { condition, timeoutMs } = waitOptionsOf(query)
    if (!versionOf(target.type, target.version).hasStatus) {
      throw badRequest(`objects of kind ${target.type.kind} have no status with conditions`)
    }
    using ended = requestSignal(response, closing)
    const limits = { timeoutMs, signal: ended.signal, requester }
    await sendObject(verb, 200, await waitFor(target, conditionState(condition), limits))
  }
}
