import type { Instance } from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import type { ReferenceState } from './reference-state.ts'

/** All instances, then every change until the signal is aborted. Ends with the signal's reason. */
export async function* watchInstances(
  state: ReferenceState,
  signal: AbortSignal,
): AsyncGenerator<Instance> {
  const queue = [...state.instances.values()].map(({ instance }) => instance)
  let wake = (): void => {}
  const push = (instance: Instance): void => {
    queue.push(instance)
    wake()
  }
  const onAbort = (): void => wake()
  state.watchers.add(push)
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      const next = queue.shift()
      if (next !== undefined) {
        yield next
        continue
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    // Otherwise a client whose deadline has passed could receive a regular end.
    signal.throwIfAborted()
  } finally {
    state.watchers.delete(push)
    signal.removeEventListener('abort', onAbort)
  }
}
