import { BoundedMap } from 'flotilla'
import {
  type ControllerContext,
  type FleetChange,
  queueObjects,
  recordEvent,
  type ResourceName,
  startController,
  storageName,
  type WorkQueue,
} from 'flotilla/controllers'
import { listNames } from '../snapshot-claims/list-names.ts'
import {
  CLAIMS,
  CLASSES,
  PROVIDERS,
  SANDBOXES,
  SNAPSHOTS,
} from '../snapshot-claims/snapshot-resources.ts'
import type { ProtectedKind } from './find-users.ts'
import { type BlockedDeletion, protectObject } from './protect-object.ts'

const PROTECTED: Readonly<Record<ProtectedKind, ResourceName>> = {
  provider: PROVIDERS,
  snapshotClass: CLASSES,
  claim: CLAIMS,
}
const KINDS: readonly ProtectedKind[] = ['provider', 'snapshotClass', 'claim']
const USERS = [SANDBOXES, SNAPSHOTS].map(storageName)
const MAX_BLOCKED = 1000
/** Changes of users announce nearly all work; this is a precaution. */
const RECHECK_MS = 30_000
/** Several users often go together, such as the snapshots of a sandbox. */
const COALESCE_MS = 100

interface Item {
  readonly plane: string
  readonly kind: ProtectedKind
  readonly namespace: string
  readonly name: string
}

/** A deletion that waits, and the message of its last event. */
interface Waiting {
  readonly item: Item
  readonly message: string
}

/** Keeps providers, classes and claims that snapshots or sandboxes need, in all planes. */
export function startProtectionController(context: ControllerContext): Promise<AsyncDisposable> {
  const { fleet } = context
  const waiting = new BoundedMap<Waiting>(MAX_BLOCKED)
  return startController<Item>(context, {
    name: 'snapshot-protection',
    resources: [...Object.values(PROTECTED).map(storageName), ...USERS],
    idOf,
    concurrency: 2,
    observe: (change, queue) => observe(change, queue, waiting),
    reconcile: async (item, queue) => {
      const { plane, kind, namespace, name } = item
      const resource = PROTECTED[kind]
      const target = { kind, resource, name: { namespace, name } }
      const blocked = await protectObject(fleet.plane(plane), target)
      if (blocked === null) return waiting.delete(idOf(item))
      await report(context, { item, blocked, waiting })
      queue.addAfter(item, RECHECK_MS)
    },
    findAll: async (...pass) => {
      for (const kind of KINDS) {
        const resource = storageName(PROTECTED[kind])
        await queueObjects(pass, { resource }, ({ plane, namespace, name }) => [
          { plane, kind, namespace, name },
        ])
      }
    },
  })
}

function idOf({ plane, kind, namespace, name }: Item): string {
  return `${plane}/${kind}/${namespace}/${name}`
}

function observe(change: FleetChange, queue: WorkQueue<Item>, waiting: BoundedMap<Waiting>): void {
  const { resource, plane, namespace, name, type } = change
  if (!USERS.includes(resource)) {
    const kind = kindOf(resource)
    if (kind !== null && type !== 'DELETED') queue.add({ plane, kind, namespace, name })
    return
  }
  for (const { item } of waiting.values()) {
    if (item.plane === plane) queue.addAfter(item, COALESCE_MS)
  }
}

function kindOf(resource: string): ProtectedKind | null {
  return KINDS.find((kind) => storageName(PROTECTED[kind]) === resource) ?? null
}

interface Report {
  readonly item: Item
  readonly blocked: BlockedDeletion
  readonly waiting: BoundedMap<Waiting>
}

/** Writes an event when the users of a deleted object have changed. */
async function report(
  { fleet, timers, onError }: ControllerContext,
  { item, blocked: { object, users }, waiting }: Report,
): Promise<void> {
  const isOne = users.length === 1
  const message = `The deletion waits for ${isOne ? 'a user' : `${users.length} users`}: ${listNames(users)}`
  const before = waiting.get(idOf(item))
  waiting.set(idOf(item), { item, message })
  if (before?.message === message) return
  const event = { type: 'Warning', reason: 'InUse', message } as const
  const source = { component: 'snapshot-protection', now: timers.clock() }
  await recordEvent(fleet.plane(item.plane), object, event, source).catch(onError)
}
