import type { FleetChange } from '../client/fleet-client.ts'
import { queueObjects } from '../runtime/queue-objects.ts'
import { type ControllerContext, startController } from '../runtime/start-controller.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'
import { decideDefinitionStatus } from '../../definitions/acceptance/decide-definition-status.ts'
import { createNameIndex, type NameIndex } from './name-index.ts'
import { reconcileDefinition } from './reconcile-definition.ts'

const RESOURCE = 'customresourcedefinitions.apiextensions.k8s.io'
/** Instances of a deleted definition are checked again. */
const RECHECK_MS = 1000

/** A definition in a plane. */
interface Item {
  readonly plane: string
  readonly name: string
}

/** Accepts the names of definitions in all planes, and deletes the instances of deleted ones. */
export function startDefinitionController(context: ControllerContext): Promise<AsyncDisposable> {
  const { fleet, timers } = context
  const names = createNameIndex(fleet)
  return startController<Item>(context, {
    name: 'definitions',
    resources: [RESOURCE],
    idOf: ({ plane, name }) => `${plane}/${name}`,
    // One decision at a time: two definitions must not get the same name.
    concurrency: 1,
    observe: (change, queue) => observe(change, queue, names),
    forget: (plane) => {
      if (plane === null) names.clear()
      else names.forget(plane)
    },
    reconcile: async (item, queue) => {
      const parts = { client: fleet.plane(item.plane), names, now: timers.clock }
      const result = await reconcileDefinition(parts, item.name)
      if (result === 'remaining') queue.addAfter(item, RECHECK_MS)
    },
    findAll: (...pass) =>
      queueObjects(pass, { resource: RESOURCE }, ({ plane, name }) => [{ plane, name }]),
  })
}

function observe(change: FleetChange, queue: WorkQueue<Item>, names: NameIndex): void {
  const { plane, name } = change
  names.observe(change)
  if (needsWork(change)) queue.add({ plane, name })
  // The change may free a name.
  for (const other of names.waiting(plane)) queue.add({ plane, name: other })
}

/** Whether a change may need another status. Most changes are those of the controller itself. */
function needsWork({ type, object }: FleetChange): boolean {
  if (type === 'DELETED') return false
  const definition = object()
  if (definition.metadata.deletionTimestamp !== undefined) return true
  return decideDefinitionStatus(definition, [], new Date(0)) !== null
}
