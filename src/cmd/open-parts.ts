import { workPart } from '../adapter-work/http/work-routes.ts'
import type { AdapterWork } from '../adapter-work/adapter-work.ts'
import { auditPart } from '../audit/http/audit-part.ts'
import { historyPart } from '../history/http/history-part.ts'
import type { ApiPart } from '../hyperfleet/routes/api-part.ts'
import type { WireOptions } from '../hyperfleet/wire/resource.ts'
import { overviewPart } from '../overview/http/overview-part.ts'
import type { PlaneObjects } from '../snapshots/http/plane-parts.ts'
import { snapshotPart } from '../snapshots/http/snapshot-routes.ts'
import type { Context } from '../store/operations/context.ts'
import type { Membership } from '../store/operations/servers/membership.ts'
import { webhookPart } from '../webhooks/http/webhook-routes.ts'
import type { Foundation } from './foundation.ts'
import { openAdapterWork } from './open-adapter-work.ts'
import { openOverviews } from './open-overviews.ts'
import { openSnapshots } from './open-snapshots.ts'
import { openWebhooks } from './open-webhooks.ts'

interface Parts {
  readonly operations: Context
  readonly wire: WireOptions
  readonly membership: Membership
}

interface OpenParts {
  /** Dispose it before the server is drained. */
  readonly adapterWork: AdapterWork
  /** The additions to the API; `planeObjects` is null if the server has no planes. */
  readonly with: (planeObjects: PlaneObjects | null) => readonly ApiPart[]
}

/** Opens the capabilities that add to the HyperFleet API. */
export function openParts(
  foundation: Foundation,
  { operations, wire, membership }: Parts,
): OpenParts {
  const { config, overrides, lifecycle, metrics } = foundation
  const { log } = overrides
  const snapshots = openSnapshots(foundation, operations)
  const overviews = openOverviews(config, { lifecycle, log, ...operations })
  const webhooks = openWebhooks(foundation, { ...operations, wire, membership })
  const adapterWork = openAdapterWork(config, { operations, metrics, log })
  return {
    adapterWork,
    with: (planeObjects) => [
      snapshotPart({ snapshots, planeObjects }),
      historyPart,
      workPart(adapterWork),
      auditPart,
      overviewPart(overviews),
      webhookPart(webhooks),
    ],
  }
}
