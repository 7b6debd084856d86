import {
  type ControllerContext,
  type FleetChange,
  type FleetClient,
  type FullPass,
  queueObjects,
  startController,
  storageName,
  type WorkQueue,
} from 'flotilla/controllers'
import type { Reservations } from './adopt-sandbox.ts'
import { controllerOf } from './controlled-sandbox.ts'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { OWNER_API_VERSION, POOLS, SANDBOX_CLAIMS, TEMPLATES } from './pool-resources.ts'
import { reconcileClaim } from './reconcile-claim.ts'
import { reconcilePool } from './reconcile-pool.ts'
import { warmPoolOf } from './warm-pool.ts'

/** Changes of the sandboxes of a pool within this time lead to one reconciliation. */
const COALESCE_MS = 100
/** Later times are found by a full pass, which runs every hour. */
const HORIZON_MS = 2 * 3_600_000

/** A pool, a claim, or the users of a template or pool that was changed. */
interface Item {
  readonly type: 'pool' | 'claim' | 'pools of template' | 'claims of pool'
  readonly plane: string
  readonly namespace: string
  readonly name: string
}

interface Context extends ControllerContext {
  /** Returns hexadecimal digits for the names of sandboxes. */
  readonly randomDigits: (length: number) => string
}

interface Parts extends Pick<Context, 'fleet' | 'timers' | 'randomDigits'> {
  readonly reserved: Reservations
}

/** Keeps the sandboxes of warm pools, and gives them to claims. */
export function startPoolController(context: Context): Promise<AsyncDisposable> {
  const { fleet, timers, randomDigits } = context
  const parts: Parts = { fleet, timers, randomDigits, reserved: new Map() }
  return startController<Item>(context, {
    name: 'sandbox-pools',
    resources: [POOLS, TEMPLATES, SANDBOX_CLAIMS, SANDBOXES].map(storageName),
    idOf: ({ type, plane, namespace, name }) => `${type} ${plane}/${namespace}/${name}`,
    concurrency: 8,
    observe,
    reconcile: (item, queue) => reconcile(parts, item, queue),
    findAll: async (...pass) => {
      await findObjects(pass, 'pool')
      await findObjects(pass, 'claim')
    },
  })
}

function observe(change: FleetChange, queue: WorkQueue<Item>): void {
  const { plane, namespace, name, resource, type } = change
  const place = { plane, namespace, name }
  switch (resource) {
    case storageName(SANDBOX_CLAIMS):
      if (type !== 'DELETED') queue.add({ ...place, type: 'claim' })
      return
    case storageName(TEMPLATES):
      return queue.add({ ...place, type: 'pools of template' })
    case storageName(POOLS):
      queue.add({ ...place, type: 'pool' })
      if (type === 'ADDED') queue.add({ ...place, type: 'claims of pool' })
      return
    default:
      observeSandbox(change, queue)
  }
}

/** Most sandboxes belong to no pool: the text shows it without parsing. */
function observeSandbox(change: FleetChange, queue: WorkQueue<Item>): void {
  const { plane, namespace, text, object } = change
  if (!text.includes(OWNER_API_VERSION)) return
  const owner = controllerOf(object())
  if (owner?.apiVersion !== OWNER_API_VERSION) return
  const { kind, name } = owner
  if (kind === 'SandboxClaim') queue.add({ type: 'claim', plane, namespace, name })
  if (kind !== 'SandboxWarmPool') return
  queue.addAfter({ type: 'pool', plane, namespace, name }, COALESCE_MS)
}

async function reconcile(parts: Parts, item: Item, queue: WorkQueue<Item>): Promise<void> {
  const { fleet, timers, randomDigits, reserved } = parts
  const { plane, namespace, name } = item
  const client = fleet.plane(plane)
  const now = timers.clock()
  const checkAt = (time: Date | null): void => {
    const delayMs = time === null ? Infinity : time.getTime() - now.getTime()
    if (delayMs <= HORIZON_MS) queue.addAfter(item, Math.max(0, delayMs))
  }
  switch (item.type) {
    case 'pool':
      return checkAt(await reconcilePool({ client, now, randomDigits }, item))
    case 'claim': {
      const result = await reconcileClaim({ client, now, reserved }, item)
      checkAt(result.checkAt)
      if (result.usedPool === null) return
      const used: Item = { type: 'pool', plane, namespace, name: result.usedPool }
      return queue.addAfter(used, COALESCE_MS)
    }
    case 'pools of template':
    case 'claims of pool':
      return queueUsers(fleet, queue, { ...item, name })
  }
}

/** Queues the pools of a template, or the claims of a pool. */
async function queueUsers(fleet: FleetClient, queue: WorkQueue<Item>, item: Item): Promise<void> {
  const { plane, namespace, name, type } = item
  const ofTemplate = type === 'pools of template'
  const resource = storageName(ofTemplate ? POOLS : SANDBOX_CLAIMS)
  for await (const page of fleet.scan({ plane, resource })) {
    for (const user of page) {
      if (user.namespace !== namespace) continue
      if (ofTemplate && warmPoolOf(user.object()).templateName !== name) continue
      queue.add({ type: ofTemplate ? 'pool' : 'claim', plane, namespace, name: user.name })
    }
  }
}

function findObjects(pass: FullPass<Item>, type: 'pool' | 'claim'): Promise<void> {
  const resource = storageName(type === 'pool' ? POOLS : SANDBOX_CLAIMS)
  return queueObjects(pass, { resource }, ({ plane, namespace, name }) => [
    { type, plane, namespace, name },
  ])
}
