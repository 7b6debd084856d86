import { isJsonObject } from 'flotilla'
import {
  type ObjectEvent,
  type ObjectName,
  type PlaneClient,
  readOrNull,
  recordEvent,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { sandboxOf } from '../../model/sandbox.ts'
import type { SandboxState } from '../../storage/sandbox-state.ts'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { decideLifetime, type LifetimeAction } from './decide-lifetime.ts'
import { observedTimes } from './observed-times.ts'

interface Parts {
  readonly client: PlaneClient
  /** The row of a sandbox, which has its last activity. */
  readonly readState: (uid: string) => Promise<SandboxState | null>
  readonly now: Date
}

const EVENTS: Readonly<Record<LifetimeAction, ObjectEvent>> = {
  DeleteExpired: {
    type: 'Normal',
    reason: 'SandboxExpired',
    message: 'Deleted because spec.shutdownTime has passed',
  },
  DeleteSuspended: {
    type: 'Normal',
    reason: 'SuspendedTooLong',
    message: 'Deleted because spec.autoSuspend.suspendedTtlSeconds have passed',
  },
  SuspendIdle: {
    type: 'Normal',
    reason: 'AutoSuspended',
    message: 'Suspended after spec.autoSuspend.idleSeconds without activity',
  },
}

/**
 * Does what the clock demands of a sandbox. Returns the time of the next decision; null if only a
 * change of the sandbox causes one.
 */
export async function applyLifetime(
  { client, readState, now }: Parts,
  name: ObjectName,
): Promise<Date | null> {
  const object = await readOrNull(client, SANDBOXES, name)
  if (!object) return null
  // Activity changes the row and not the object, so the row is read at each decision.
  const state = await readState(object.metadata.uid ?? '')
  const times = observedTimes(object, state?.lastActivityTime ?? null)
  const decision = decideLifetime(sandboxOf(object), times, now)
  if (decision.action === null) return decision.checkAt
  if (decision.action === 'SuspendIdle') await client.update(SANDBOXES, suspended(object))
  else await deleteSandbox(client, object)
  const source = { component: 'sandbox-lifetimes', now }
  await recordEvent(client, object, EVENTS[decision.action], source)
  return null
}

/** The update names the version that was read, so it fails if the sandbox was changed. */
function suspended({ spec, ...others }: ApiObject): ApiObject {
  return { ...others, spec: { ...(isJsonObject(spec) && spec), operatingMode: 'Suspended' } }
}

async function deleteSandbox(client: PlaneClient, { metadata }: ApiObject): Promise<void> {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata
  const preconditions = { uid, resourceVersion }
  await client.delete(SANDBOXES, { namespace, name }, { preconditions })
}
