import path from 'node:path'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { openFenceStore } from './fence-store.ts'
import { openOperationLedger } from '../../../src/sandboxes/drivers/protocol/operation-ledger.ts'
import {
  type DriverServer,
  serveDrivers,
} from '../../../src/sandboxes/drivers/protocol/serve-drivers.ts'
import type { TlsMaterial } from '../../../src/sandboxes/drivers/protocol/tls-material.ts'
import { createFaults, type Faults } from './faults.ts'
import { type ReferenceCapabilities, referenceDriver } from './reference-driver.ts'
import { referenceRuntime } from './reference-runtime.ts'
import { createReferenceState, type ReferenceState } from './reference-state.ts'

interface ReferenceOptions {
  /** `unix:/path` or `https://host:port`. */
  readonly listen: string
  /** For stored results and fences. */
  readonly directory: string
  readonly tls?: TlsMaterial
  readonly clock?: Clock
  readonly capacity?: number
  readonly capabilities?: Partial<ReferenceCapabilities>
  /** `proposal` serves only the three calls of KEP-0694. */
  readonly protocol?: 'full' | 'proposal'
}

/**
 * A gRPC server of both services whose sandboxes are simulated, for tests of controllers and as an
 * example for authors.
 */
export interface ReferenceServer extends AsyncDisposable {
  readonly endpoint: string
  /** Sandboxes, snapshots and effects. Tests may read and change it. */
  readonly state: ReferenceState
  readonly faults: Faults
  /** Ends the server as `kill -9` would; the simulated workloads stay. */
  crash(): void
  /** Starts the server again after a crash, with the same state and directory. */
  restart(): Promise<void>
}

const CAPABILITIES: ReferenceCapabilities = {
  name: 'reference',
  machine: 'reference-machine',
  captures: ['filesystem'],
  freezes: true,
  stores: ['local', 's3'],
  storeBytes: Number.POSITIVE_INFINITY,
}

/** Starts a reference server. */
export async function startReferenceServer(options: ReferenceOptions): Promise<ReferenceServer> {
  const state = createReferenceState()
  let server: DriverServer | null = null
  let endpoint = options.listen
  const crash = (): void => {
    server?.destroy()
    server = null
  }
  const faults = createFaults({ dropConnections: () => server?.dropConnections(), crash })
  const restart = async (): Promise<void> => {
    crash()
    server = await serve({ ...options, listen: endpoint }, { state, faults })
    // A free port was chosen; later starts use the same one.
    endpoint = server.endpoint
  }
  await restart()
  return {
    endpoint,
    state,
    faults,
    crash,
    restart,
    [Symbol.asyncDispose]: async () => {
      await server?.[Symbol.asyncDispose]()
    },
  }
}

async function serve(
  options: ReferenceOptions,
  { state, faults }: { readonly state: ReferenceState; readonly faults: Faults },
): Promise<DriverServer> {
  const { clock = systemClock, directory, capacity = 1000 } = options
  const capabilities = { ...CAPABILITIES, ...options.capabilities }
  const context = {
    state,
    faults,
    clock,
    capabilities,
    machine: capabilities.machine,
    capacity,
    ledger: await openOperationLedger({ directory: path.join(directory, 'operations'), clock }),
    fences: await openFenceStore(path.join(directory, 'fences')),
  }
  const { checkpoint, restore, delete: remove, ...extensions } = referenceDriver(context)
  const proposal = { checkpoint, restore, delete: remove }
  return await serveDrivers({
    listen: options.listen,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    ...(options.protocol === 'proposal' ? {} : { runtime: referenceRuntime(context) }),
    driver: options.protocol === 'proposal' ? proposal : { ...proposal, ...extensions },
  })
}
