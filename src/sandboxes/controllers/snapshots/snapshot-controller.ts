import {
  type ControllerContext,
  type FleetChange,
  queueObjects,
  startController,
  storageName,
  type WorkQueue,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { type Snapshot, snapshotOf } from '../../model/snapshot.ts'
import { sandboxCondition } from '../sandbox-pools/controlled-sandbox.ts'
import { OPERATION_ANNOTATION } from '../sandboxes/operations/snapshot-object.ts'
import { CLASSES, PROVIDERS, SANDBOXES, SNAPSHOTS } from '../snapshot-claims/snapshot-resources.ts'
import { finishSnapshot, isHeld } from './finish-snapshot.ts'
import { retainSnapshots } from './retain-snapshots.ts'
import type { SnapshotParts } from './snapshot-parts.ts'
import { WaitingSnapshots } from './waiting-snapshots.ts'

type Context = ControllerContext & Pick<SnapshotParts, 'records' | 'runtimes'>

/** A snapshot, or a sandbox whose snapshots have a policy. */
interface Item {
  readonly type: 'snapshot' | 'sandbox'
  readonly plane: string
  readonly namespace: string
  readonly name: string
}

/** A suspend changes several objects within a short time. */
const COALESCE_MS = 500
/** Changes announce nearly all work; this is a precaution, and the pause between attempts. */
const RECHECK_MS = 10_000
const RETRY_MS = 1000
const MAX_DELAY_MS = 3_600_000
const BACKENDS = [PROVIDERS, CLASSES].map(storageName)

/** Deletes the data of deleted snapshots, and applies the snapshot policies of sandboxes. */
export async function startSnapshotController(context: Context): Promise<AsyncDisposable> {
  const { runtimes } = context
  const waiting = new WaitingSnapshots<Item>()
  return startController<Item>(context, {
    name: 'snapshots',
    resources: [...[SNAPSHOTS, SANDBOXES].map(storageName), ...BACKENDS],
    idOf: ({ type, plane, namespace, name }) => `${type}/${plane}/${namespace}/${name}`,
    concurrency: 16,
    observe: (change, queue) => observe(change, queue, waiting),
    followFurther: (queue) => {
      const follower = runtimes.onChange(() => {
        for (const item of waiting.in(null)) queue.add(item)
      })
      return Promise.resolve({
        [Symbol.asyncDispose]: () => Promise.resolve(follower[Symbol.dispose]()),
      })
    },
    reconcile: async (item, queue) => {
      const delay = await reconcile(context, item, waiting)
      if (delay !== null) queue.addAfter(item, Math.min(delay, MAX_DELAY_MS))
    },
    findAll: (...pass) =>
      queueObjects(pass, { resource: storageName(SNAPSHOTS) }, (found): readonly Item[] => {
        const { plane, namespace, name, object } = found
        return [
          { type: 'snapshot', plane, namespace, name },
          sandboxItem(plane, snapshotOf(object())),
        ]
      }),
  })
}

/** Returns the time until the next reconciliation; null if only changes need one. */
async function reconcile(
  context: Context,
  item: Item,
  waiting: WaitingSnapshots<Item>,
): Promise<number | null> {
  const client = context.fleet.plane(item.plane)
  if (item.type === 'sandbox') return retainSnapshots(context, client, item)
  const result = await finishSnapshot(context, client, item)
  waiting.set(item, result === 'waiting')
  return result === 'waiting' ? RECHECK_MS : null
}

function observe(
  change: FleetChange,
  queue: WorkQueue<Item>,
  waiting: WaitingSnapshots<Item>,
): void {
  const { resource, plane, namespace, name, type } = change
  if (resource === storageName(SNAPSHOTS)) {
    const object = change.object()
    const snapshot = snapshotOf(object)
    // The change may be the report of a failed attempt, which must not cause the next one.
    const delay = snapshot.phase === 'Deleting' ? RETRY_MS : 0
    const isOpen = snapshot.isDeleting || !isHeld(object)
    if (type !== 'DELETED' && isOpen) {
      queue.addAfter({ type: 'snapshot', plane, namespace, name }, delay)
    }
    if (!isBeingTaken(object)) queue.addAfter(sandboxItem(plane, snapshot), COALESCE_MS)
    return
  }
  for (const item of waiting.in(plane)) queue.addAfter(item, COALESCE_MS)
  if (resource !== storageName(SANDBOXES)) return
  const delay = isBusy(change.object()) ? RECHECK_MS : COALESCE_MS
  queue.addAfter({ type: 'sandbox', plane, namespace, name }, delay)
}

/** Whether an operation of the sandbox still writes the snapshot. Its end is another change. */
function isBeingTaken(object: ApiObject): boolean {
  const { phase, isDeleting } = snapshotOf(object)
  const { annotations = {} } = object.metadata
  const isOwn = annotations[OPERATION_ANNOTATION] !== undefined
  return isOwn && !isDeleting && (phase === null || phase === 'Creating')
}

/** Whether an operation is about to begin or unfinished. The sandbox changes again at its end. */
function isBusy(sandbox: ApiObject): boolean {
  const { generation } = sandbox.metadata
  const progressing = sandboxCondition(sandbox, 'Progressing')
  return progressing?.['status'] !== 'False' || progressing['observedGeneration'] !== generation
}

function sandboxItem(plane: string, { namespace, sandbox }: Snapshot): Item {
  return { type: 'sandbox', plane, namespace, name: sandbox.name }
}
