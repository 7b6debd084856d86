import type { ApiObject } from '../../model/api-object.ts'
import { isConflict, isPlaneGone, isResourceNotServed } from '../client/api-failures.ts'
import type { PlaneClient, ResourceName } from '../client/plane-client.ts'
import { readOrNull } from '../client/read-or-null.ts'
import type { FullPass } from '../runtime/queue-objects.ts'
import { type ControllerContext, startController } from '../runtime/start-controller.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'

const NAMESPACES: ResourceName = { group: '', version: 'v1', plural: 'namespaces' }
/** The pass reads each plane, and changes announce nearly everything that it could find. */
const PASS_EVERY_MS = 21_600_000
const MAX_WAITING = 1000

/** An object that every namespace has. */
export interface RequiredObject {
  /** Names the controller in metrics. */
  readonly controller: string
  /** A resource of the core group. */
  readonly resource: ResourceName
  readonly name: string
  /** The object to create. */
  readonly objectIn: (namespace: string) => ApiObject
  /** Changes or deletes an object that is not as it must be. Absent if any object will do. */
  readonly content?: {
    readonly isCurrent: (object: ApiObject) => boolean
    readonly repair: (client: PlaneClient, object: ApiObject) => Promise<void>
    /** Calls back when objects that were current no longer are. */
    readonly follow: (callback: () => void) => Disposable
  }
}

interface NamespaceInPlane {
  readonly plane: string
  readonly namespace: string
}

/** Creates an object again in namespaces whose users have deleted it, and repairs its content. */
export function startRequiredObjectController(
  context: ControllerContext,
  required: RequiredObject,
): Promise<AsyncDisposable> {
  const { fleet } = context
  const { content, resource } = required
  return startController<NamespaceInPlane>(context, {
    name: required.controller,
    resources: [resource.plural],
    idOf: ({ plane, namespace }) => `${plane}/${namespace}`,
    concurrency: 4,
    passEveryMs: PASS_EVERY_MS,
    observe: ({ type, name, plane, namespace, object }, queue) => {
      if (name !== required.name) return
      if (type === 'DELETED' || !isCurrent(required, object())) queue.add({ plane, namespace })
    },
    ...(content && {
      followFurther: (_queue, onLost) => Promise.resolve(asynchronous(content.follow(onLost))),
    }),
    reconcile: ({ plane, namespace }) => ensureObject(fleet.plane(plane), required, namespace),
    findAll: (...pass) => findMissing(pass, required),
  })
}

const isCurrent = ({ content }: RequiredObject, object: ApiObject): boolean =>
  content?.isCurrent(object) ?? true

const asynchronous = (disposable: Disposable): AsyncDisposable => ({
  [Symbol.asyncDispose]: () => Promise.resolve(disposable[Symbol.dispose]()),
})

async function ensureObject(
  client: PlaneClient,
  required: RequiredObject,
  namespace: string,
): Promise<void> {
  const { resource, name, content } = required
  if (!(await isActive(client, namespace))) return
  const existing = await readOrNull(client, resource, { namespace, name })
  if (existing !== null) {
    if (!isCurrent(required, existing)) await content?.repair(client, existing)
    return
  }
  try {
    await client.create(resource, required.objectIn(namespace))
  } catch (error) {
    // It exists, or the deletion of its namespace has just begun.
    if (isConflict(error) || !(await isActive(client, namespace))) return
    throw error
  }
}

async function isActive(client: PlaneClient, name: string): Promise<boolean> {
  const namespace = await readOrNull(client, NAMESPACES, { namespace: '', name })
  return namespace !== null && namespace.metadata.deletionTimestamp === undefined
}

async function findMissing(
  [queue, signal, fleet]: FullPass<NamespaceInPlane>,
  required: RequiredObject,
): Promise<void> {
  for await (const planes of fleet.planes()) {
    for (const plane of planes) {
      if (signal.aborted) return
      const client = fleet.plane(plane)
      await findMissingIn(client, required, queue).catch(ignorePlaneWithoutResource)
    }
    await queue.whenBelow(MAX_WAITING)
  }
}

/** The plane was removed, or its program does not serve the resource. */
function ignorePlaneWithoutResource(error: unknown): void {
  if (!isPlaneGone(error) && !isResourceNotServed(error)) throw error
}

async function findMissingIn(
  client: PlaneClient,
  required: RequiredObject,
  queue: WorkQueue<NamespaceInPlane>,
): Promise<void> {
  const fieldSelector = `metadata.name=${required.name}`
  const existing = new Set<string>()
  for await (const page of client.pages(required.resource, { fieldSelector })) {
    for (const object of page.items) {
      if (isCurrent(required, object)) existing.add(object.metadata.namespace ?? '')
    }
  }
  for await (const page of client.pages(NAMESPACES)) {
    for (const { metadata } of page.items) {
      const { name: namespace = '', deletionTimestamp } = metadata
      if (deletionTimestamp !== undefined || existing.has(namespace)) continue
      queue.add({ plane: client.plane, namespace })
    }
  }
}
