import { isJsonObject, isSameJson, textOf } from 'flotilla'
import { parseTimeout, readDeclaredBody, type SubresourceEndpoint } from 'flotilla/planes'
import { changeSandbox } from './change-sandbox.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { waitAfterChange } from './wait-after-change.ts'

const SUSPENDED = { type: 'Suspended', status: 'True' }

/** POST of `suspend`: changes the operating mode, with an optional strategy. */
export function suspendEndpoint(parts: EndpointParts): SubresourceEndpoint {
  return {
    hasOptionalBody: true,
    create: async (request, given) => {
      const body = readDeclaredBody(given, request.target)
      const wait = textOf(body['wait'])
      parseTimeout(wait)
      const { strategy } = body
      const sandbox = await changeSandbox(parts, request, ({ spec, ...others }) => {
        const before = isJsonObject(spec) ? spec : {}
        const after = {
          ...before,
          operatingMode: 'Suspended',
          ...(strategy !== undefined && { suspensionStrategy: strategy }),
        }
        return isSameJson(before, after) ? null : { ...others, spec: after }
      })
      const shown = await waitAfterChange(parts, request, sandbox, { wait, condition: SUSPENDED })
      return { status: 200, body: shown }
    },
  }
}
