import {
  isConflict,
  isObjectNotFound,
  isPlaneGone,
  isResourceNotServed,
} from '../client/api-failures.ts'
import type { FleetClient } from '../client/fleet-client.ts'
import type { PlaneClient, ResourceName } from '../client/plane-client.ts'
import { type ControllerContext, startController } from '../runtime/start-controller.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'

const ACCOUNTS: ResourceName = { group: '', version: 'v1', plural: 'serviceaccounts' }
const NAMESPACES: ResourceName = { group: '', version: 'v1', plural: 'namespaces' }
const DEFAULT = 'default'
/** The pass reads each plane, and changes announce nearly everything that it could find. */
const PASS_EVERY_MS = 21_600_000
const MAX_WAITING = 1000

interface AccountPlace {
  readonly plane: string
  readonly namespace: string
}

/** Creates the account `default` again in namespaces whose users have deleted it. */
export function startServiceAccountController(
  context: ControllerContext,
): Promise<AsyncDisposable> {
  const { fleet } = context
  return startController<AccountPlace>(context, {
    name: 'service-accounts',
    resources: ['serviceaccounts'],
    idOf: ({ plane, namespace }) => `${plane}/${namespace}`,
    concurrency: 4,
    passEveryMs: PASS_EVERY_MS,
    observe: ({ type, name, plane, namespace }, queue) => {
      if (type === 'DELETED' && name === DEFAULT) queue.add({ plane, namespace })
    },
    reconcile: ({ plane, namespace }) => ensureAccount(fleet.plane(plane), namespace),
    findAll: (queue, signal) => findMissing(fleet, queue, signal),
  })
}

async function ensureAccount(client: PlaneClient, namespace: string): Promise<void> {
  if (!(await isActive(client, namespace))) return
  try {
    await client.create(ACCOUNTS, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace, name: DEFAULT },
    })
  } catch (error) {
    // It exists, or the deletion of its namespace has just begun.
    if (isConflict(error) || !(await isActive(client, namespace))) return
    throw error
  }
}

async function isActive(client: PlaneClient, name: string): Promise<boolean> {
  try {
    const namespace = await client.get(NAMESPACES, { namespace: '', name })
    return namespace.metadata.deletionTimestamp === undefined
  } catch (error) {
    if (isObjectNotFound(error, name)) return false
    throw error
  }
}

async function findMissing(
  fleet: FleetClient,
  queue: WorkQueue<AccountPlace>,
  signal: AbortSignal,
): Promise<void> {
  for await (const planes of fleet.planes()) {
    for (const plane of planes) {
      if (signal.aborted) return
      await findMissingIn(fleet.plane(plane), queue).catch(ignorePlaneWithoutAccounts)
    }
    await queue.whenBelow(MAX_WAITING)
  }
}

/** The plane was removed, or its program chose no service accounts. */
function ignorePlaneWithoutAccounts(error: unknown): void {
  if (!isPlaneGone(error) && !isResourceNotServed(error)) throw error
}

async function findMissingIn(client: PlaneClient, queue: WorkQueue<AccountPlace>): Promise<void> {
  const fieldSelector = `metadata.name=${DEFAULT}`
  const existing = new Set<string>()
  for await (const page of client.pages(ACCOUNTS, { fieldSelector })) {
    for (const { metadata } of page.items) existing.add(metadata.namespace ?? '')
  }
  for await (const page of client.pages(NAMESPACES)) {
    for (const { metadata } of page.items) {
      const { name: namespace = '', deletionTimestamp } = metadata
      if (deletionTimestamp !== undefined || existing.has(namespace)) continue
      queue.add({ plane: client.plane, namespace })
    }
  }
}
