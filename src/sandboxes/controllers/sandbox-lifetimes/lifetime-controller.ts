import {
  type ControllerContext,
  type FleetChange,
  queueObjects,
  startController,
  storageName,
} from 'flotilla/controllers'
import type { SandboxState } from '../../storage/sandbox-state.ts'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { applyLifetime } from './apply-lifetime.ts'

/** Later deadlines are found by a full pass, which runs every hour. */
const HORIZON_MS = 2 * 3_600_000

interface Item {
  readonly plane: string
  readonly namespace: string
  readonly name: string
}

interface Context extends ControllerContext {
  /** The row of a sandbox, which has its last activity. */
  readonly readState: (uid: string) => Promise<SandboxState | null>
}

/**
 * Suspends idle sandboxes, and deletes expired ones and those that were suspended for too long. The
 * deadlines follow from objects and rows, so they survive restarts.
 */
export function startLifetimeController(context: Context): Promise<AsyncDisposable> {
  const { fleet, timers, readState } = context
  return startController<Item>(context, {
    name: 'sandbox-lifetimes',
    resources: [storageName(SANDBOXES)],
    idOf: ({ plane, namespace, name }) => `${plane}/${namespace}/${name}`,
    concurrency: 4,
    observe: (change, queue) => {
      if (hasDeadline(change)) queue.add(itemOf(change))
    },
    reconcile: async (item, queue) => {
      const now = timers.clock()
      const client = fleet.plane(item.plane)
      const checkAt = await applyLifetime({ client, readState, now }, item)
      const delayMs = checkAt === null ? Infinity : checkAt.getTime() - now.getTime()
      if (delayMs <= HORIZON_MS) queue.addAfter(item, delayMs)
    },
    findAll: (...pass) =>
      queueObjects(pass, { resource: storageName(SANDBOXES) }, (sandbox) =>
        mentionsDeadline(JSON.stringify(sandbox.object()['spec'])) ? [itemOf(sandbox)] : [],
      ),
  })
}

function itemOf({ plane, namespace, name }: Item): Item {
  return { plane, namespace, name }
}

/** Most sandboxes have none: the text shows it without parsing. */
function hasDeadline({ type, text }: FleetChange): boolean {
  return type !== 'DELETED' && mentionsDeadline(text)
}

function mentionsDeadline(text: string): boolean {
  return /"shutdownTime"|"autoSuspend"/.test(text)
}
