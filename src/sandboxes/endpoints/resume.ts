import { isJsonObject, textOf } from 'flotilla'
import {
  type ApiObject,
  parseTimeout,
  readDeclaredBody,
  type SubresourceEndpoint,
} from 'flotilla/planes'
import { COLD_BOOT_ANNOTATION } from '../types/sandbox-groups.ts'
import { changeSandbox } from './change-sandbox.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { waitAfterChange } from './wait-after-change.ts'

const READY = { type: 'Ready', status: 'True' }

/** POST of `resume`: changes the operating mode. It counts as activity. */
export function resumeEndpoint(parts: EndpointParts): SubresourceEndpoint {
  return {
    hasOptionalBody: true,
    create: async (request, given) => {
      const body = readDeclaredBody(given, request.target)
      const wait = textOf(body['wait'])
      parseTimeout(wait)
      const sandbox = await changeSandbox(parts, request, (before) =>
        resumed(before, body['coldBoot'] === true),
      )
      await parts.workloads.recordActivity(sandbox.metadata.uid ?? '', parts.clock())
      const shown = await waitAfterChange(parts, request, sandbox, { wait, condition: READY })
      return { status: 200, body: shown }
    },
  }
}

function resumed({ spec, metadata, ...others }: ApiObject, coldBoot: boolean): ApiObject | null {
  const before = isJsonObject(spec) ? spec : {}
  if (before['operatingMode'] !== 'Suspended' && !coldBoot) return null
  const annotations = { ...metadata.annotations, [COLD_BOOT_ANNOTATION]: 'true' }
  return {
    ...others,
    metadata: coldBoot ? { ...metadata, annotations } : metadata,
    spec: { ...before, operatingMode: 'Running' },
  }
}
