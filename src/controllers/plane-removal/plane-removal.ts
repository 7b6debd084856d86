import { type ControllerContext, startController } from '../runtime/start-controller.ts'

const ROOT = 'root'
const MAX_WAITING = 1000

interface Options extends ControllerContext {
  /** Whether the owner of the plane, such as its cluster, exists. */
  readonly exists: (plane: string) => Promise<boolean>
  /** Removes a plane with all objects, regardless of their finalizers. May be repeated. */
  readonly remove: (plane: string) => Promise<void>
  /** Calls back with planes whose owner may have been removed. */
  readonly onRemoval: (callback: (plane: string) => void) => Disposable
}

/**
 * Removes the planes of owners that no longer exist. A full pass finds those that were removed
 * while no controller was running, or whose removal was interrupted.
 */
export async function startPlaneRemoval({
  exists,
  remove,
  onRemoval,
  ...context
}: Options): Promise<AsyncDisposable> {
  let subscription: Disposable | null = null
  const controller = await startController<string>(context, {
    resources: [],
    idOf: (plane) => plane,
    concurrency: 2,
    observe: () => undefined,
    reconcile: async (plane) => {
      if (plane !== ROOT && !(await exists(plane))) await remove(plane)
    },
    findAll: async (queue, signal) => {
      subscription ??= onRemoval((plane) => queue.add(plane))
      for await (const planes of context.fleet.planes()) {
        for (const plane of planes) queue.add(plane)
        await queue.whenBelow(MAX_WAITING)
        if (signal.aborted) return
      }
    },
  })
  return {
    [Symbol.asyncDispose]: async () => {
      subscription?.[Symbol.dispose]()
      await controller[Symbol.asyncDispose]()
    },
  }
}
