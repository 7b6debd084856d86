import { isJsonObject, isSameJson } from 'flotilla'
import type { SubresourceEndpoint } from 'flotilla/planes'
import { changeSandbox } from './change-sandbox.ts'
import { changingEndpoint } from './changing-endpoint.ts'
import type { EndpointParts } from './endpoint-parts.ts'

const SUSPENDED = { type: 'Suspended', status: 'True' }

/** POST of `suspend`: changes the operating mode, with an optional strategy. */
export function suspendEndpoint(parts: EndpointParts): SubresourceEndpoint {
  return changingEndpoint(parts, SUSPENDED, (request, { strategy }) =>
    changeSandbox(parts, request, ({ spec, ...others }) => {
      const before = isJsonObject(spec) ? spec : {}
      const after = {
        ...before,
        operatingMode: 'Suspended',
        ...(strategy !== undefined && { suspensionStrategy: strategy }),
      }
      return isSameJson(before, after) ? null : { ...others, spec: after }
    }),
  )
}
