import type { Instance } from '../../generated/proto/snapshot_driver_pb.ts'

/** Passes changes of instances to watches. A slow watch receives only the latest state of each. */
export interface InstanceBroadcaster {
  publish(instance: Instance): void
  /** The changes from now on, until the signal is aborted. */
  subscribe(signal: AbortSignal): AsyncGenerator<Instance>
}

interface Subscription {
  readonly waiting: Map<string, Instance>
  wake: () => void
}

export function createInstanceBroadcaster(): InstanceBroadcaster {
  const subscriptions = new Set<Subscription>()
  return {
    publish: (instance) => {
      const key = `${instance.sandbox?.uid}/${instance.instanceId}`
      for (const subscription of subscriptions) {
        // The latest change comes last.
        subscription.waiting.delete(key)
        subscription.waiting.set(key, instance)
        subscription.wake()
      }
    },
    subscribe: (signal) => {
      const subscription: Subscription = { waiting: new Map(), wake: () => undefined }
      subscriptions.add(subscription)
      return changesOf(subscription, signal, () => subscriptions.delete(subscription))
    },
  }
}

async function* changesOf(
  subscription: Subscription,
  signal: AbortSignal,
  close: () => void,
): AsyncGenerator<Instance> {
  const { waiting } = subscription
  const onAbort = (): void => subscription.wake()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      for (const [key, instance] of waiting) {
        waiting.delete(key)
        yield instance
      }
      if (waiting.size > 0 || signal.aborted) continue
      await new Promise<void>((resolve) => {
        subscription.wake = resolve
      })
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    close()
  }
}
