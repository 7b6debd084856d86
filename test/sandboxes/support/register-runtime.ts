import { setTimeout as sleep } from 'node:timers/promises'
import type { sandboxApi } from '../kinds/sandbox-api.ts'

const RENEW_MS = 2000
const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'

interface Registration {
  readonly name: string
  readonly endpoint: string
  readonly machine: string
  readonly driver: string
  readonly capacity?: number
  readonly leaseSeconds?: number
  /** The isolation classes that the runtime offers. */
  readonly isolation?: readonly object[]
}

/** Registers a runtime with one driver and renews its lease until it is disposed. */
export async function registerRuntime(
  api: () => ReturnType<typeof sandboxApi>,
  registration: Registration,
): Promise<AsyncDisposable> {
  const { name, endpoint, machine, driver, capacity = 1000, isolation } = registration
  const capabilities = { captures: ['filesystem'], freezes: true, lists: true, stores: ['local'] }
  const drivers = [{ name: driver, capabilities }]
  await api().create({
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name },
    spec: { endpoint, machine, capacity: { sandboxes: capacity }, drivers },
  })
  const stopped = new AbortController()
  const renew = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const status = {
        renewTime: new Date().toISOString(),
        leaseDurationSeconds: registration.leaseSeconds ?? 60,
        ...(isolation && { isolation }),
      }
      // The server may be down while a test restarts it.
      await api()
        .patchStatus(`${RUNTIMES}/${name}`, status)
        .catch(() => undefined)
      await sleep(RENEW_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }
  const renewals = renew()
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await renewals
    },
  }
}
