import type { SubresourceEndpoint } from 'flotilla/planes'
import { activityEndpoint } from './activity.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { execEndpoint } from './exec.ts'
import { forkEndpoint } from './fork.ts'
import { logsEndpoint } from './logs.ts'
import { resumeEndpoint } from './resume.ts'
import { snapshotsEndpoint } from './snapshots.ts'
import { suspendEndpoint } from './suspend.ts'

/** The endpoints of sandboxes, by the name of their subresource. */
export function sandboxEndpoints(
  parts: EndpointParts,
): Readonly<Record<string, SubresourceEndpoint>> {
  return {
    suspend: suspendEndpoint(parts),
    resume: resumeEndpoint(parts),
    exec: execEndpoint(parts),
    logs: logsEndpoint(parts),
    activity: activityEndpoint(parts),
    snapshots: snapshotsEndpoint(parts),
    fork: forkEndpoint(parts),
  }
}
