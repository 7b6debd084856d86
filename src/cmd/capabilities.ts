import { adapterWork } from '../adapter-work/capability.ts'
import { alerts } from '../alerts/capability.ts'
import { audit } from '../audit/capability.ts'
import { webConsole } from '../console/capability.ts'
import { exposedKinds } from '../exposed-kinds/capability.ts'
import { fleets } from '../fleets/capability.ts'
import { history } from '../history/capability.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { overview } from '../overview/capability.ts'
import { planes } from '../planes/capability.ts'
import { sandboxes } from '../sandboxes/capability.ts'
import { shards } from '../shards/capability.ts'
import { snapshots } from '../snapshots/capability.ts'
import { tenantLimits } from '../tenant-limits/capability.ts'
import { webhooks } from '../webhooks/capability.ts'

/**
 * What this program can do. Each capability comes after those that it needs. Requests meet their
 * APIs in this order too: shards forward a request before planes serve it.
 */
export const CAPABILITIES = [
  hyperfleet,
  webConsole,
  shards,
  planes,
  exposedKinds,
  fleets,
  sandboxes,
  snapshots,
  history,
  adapterWork,
  alerts,
  audit,
  overview,
  webhooks,
  tenantLimits,
] as const
