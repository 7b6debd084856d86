import { type JsonObject, textOf } from 'flotilla'
import {
  type ApiObject,
  type AwaitedCondition,
  conditionState,
  type EndpointRequest,
  parseTimeout,
  readDeclaredBody,
  type SubresourceEndpoint,
} from 'flotilla/planes'
import type { EndpointParts } from './endpoint-parts.ts'
import { sandboxTarget } from './sandbox-target.ts'

/**
 * POST that changes a sandbox. With `wait` in the body, the response waits for the condition; else
 * it is the changed sandbox.
 */
export function changingEndpoint(
  { waitForState }: EndpointParts,
  condition: AwaitedCondition,
  change: (request: EndpointRequest, body: JsonObject) => Promise<ApiObject>,
): SubresourceEndpoint {
  return {
    hasOptionalBody: true,
    create: async (request, given) => {
      const { target, signal, requester } = request
      const body = readDeclaredBody(given, target)
      const wait = textOf(body['wait'])
      const timeoutMs = parseTimeout(wait)
      const sandbox = await change(request, body)
      if (wait === '') return { status: 200, body: sandbox }
      const limits = { timeoutMs, signal, requester }
      const reached = conditionState(condition)
      return { status: 200, body: await waitForState(sandboxTarget(target), reached, limits) }
    },
  }
}
