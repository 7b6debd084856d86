import { isJsonObject } from 'flotilla'
import type { ApiObject, SubresourceEndpoint } from 'flotilla/planes'
import { COLD_BOOT_ANNOTATION } from '../types/sandbox-groups.ts'
import { changeSandbox } from './change-sandbox.ts'
import { changingEndpoint } from './changing-endpoint.ts'
import type { EndpointParts } from './endpoint-parts.ts'

const READY = { type: 'Ready', status: 'True' }

/** POST of `resume`: changes the operating mode. It counts as activity. */
export function resumeEndpoint(parts: EndpointParts): SubresourceEndpoint {
  return changingEndpoint(parts, READY, async (request, body) => {
    const sandbox = await changeSandbox(parts, request, (before) =>
      resumed(before, body['coldBoot'] === true),
    )
    await parts.workloads.recordActivity(sandbox.metadata.uid ?? '', parts.clock())
    return sandbox
  })
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
