import { waitOptionsOf } from '../requests/awaited-condition.ts'
import { requestSignal } from '../verbs/request-signal.ts'
import { sendObject } from '../verbs/send-object.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'
import type { WaitForCondition } from './wait-for-condition.ts'

/** Serves GET of an object with a condition to wait for. */
export type ServeWait = (verb: VerbRequest) => Promise<void>

/** Creates the function that serves such requests. Shutdown ends them with 503. */
export function createServeWait(waitFor: WaitForCondition, closing: AbortSignal): ServeWait {
  return async (verb) => {
    const options = waitOptionsOf(verb.query)
    using ended = requestSignal(verb.response, closing)
    const object = await waitFor(verb.target, { ...options, signal: ended.signal })
    sendObject(verb, 200, object)
  }
}
