import type { FleetChange } from '../client/fleet-client.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { queueObjects } from '../runtime/queue-objects.ts'
import { type ControllerContext, startController } from '../runtime/start-controller.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'
import { finishNamespace } from './finish-namespace.ts'

const MAX_WAITING = 10_000
/** Until then, more objects of the namespace may be removed. */
const COALESCE_MS = 50
/** A namespace with remaining content is checked again, in case a change was not seen. */
const RECHECK_MS = 5000

interface TerminatingNamespace {
  readonly plane: string
  readonly name: string
}

function idOf({ plane, name }: TerminatingNamespace): string {
  return `${plane}/${name}`
}

/** Empties the namespaces of all planes whose deletion has begun. */
export function startNamespaceController(context: ControllerContext): Promise<AsyncDisposable> {
  const { fleet, timers } = context
  /** Namespaces with remaining content: the removal of an object may be the last one. */
  const waiting = new BoundedMap<true>(MAX_WAITING)
  return startController<TerminatingNamespace>(context, {
    name: 'namespaces',
    resources: '*',
    idOf,
    concurrency: 4,
    observe: (change, queue) => observe(change, queue, waiting),
    reconcile: async (item, queue) => {
      // Objects that are removed during the attempt cause another one.
      waiting.set(idOf(item), true)
      const result = await finishNamespace(fleet.plane(item.plane), item.name, timers.clock)
      if (result === 'done') waiting.delete(idOf(item))
      else queue.addAfter(item, RECHECK_MS)
    },
    findAll: (...pass) =>
      queueObjects(pass, { resource: 'namespaces', isTerminating: true }, ({ plane, name }) => [
        { plane, name },
      ]),
  })
}

function observe(
  { resource, type, plane, namespace, name, text }: FleetChange,
  queue: WorkQueue<TerminatingNamespace>,
  waiting: BoundedMap<true>,
): void {
  if (resource === 'namespaces') {
    if (type !== 'DELETED' && text.includes('"deletionTimestamp"')) queue.add({ plane, name })
    return
  }
  if (type !== 'DELETED' || namespace === '') return
  const item = { plane, name: namespace }
  if (waiting.has(idOf(item))) queue.addAfter(item, COALESCE_MS)
}
