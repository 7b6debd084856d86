import {
  type ControllerContext,
  type FleetChange,
  type FleetClient,
  startController,
  storageName,
  type WorkQueue,
} from 'flotilla/controllers'
import type { SandboxState } from '../../storage/sandbox-state.ts'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { applyLifetime } from './apply-lifetime.ts'

const MAX_WAITING = 5000
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
    findAll: (queue, signal) => findSandboxes(fleet, queue, signal),
  })
}

function itemOf({ plane, namespace, name }: Item): Item {
  return { plane, namespace, name }
}

/** Most sandboxes have none: the text shows it without parsing. */
function hasDeadline({ type, text }: FleetChange): boolean {
  return type !== 'DELETED' && /"shutdownTime"|"autoSuspend"/.test(text)
}

async function findSandboxes(
  fleet: FleetClient,
  queue: WorkQueue<Item>,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of fleet.scan({ resource: storageName(SANDBOXES) })) {
    for (const sandbox of page) {
      const { spec } = sandbox.object()
      if (/"shutdownTime"|"autoSuspend"/.test(JSON.stringify(spec))) queue.add(itemOf(sandbox))
    }
    if (signal.aborted) return
    await queue.whenBelow(MAX_WAITING)
  }
}
