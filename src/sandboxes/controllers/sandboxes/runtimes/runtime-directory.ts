import { isDeepStrictEqual } from 'node:util'
import {
  type PlaneClient,
  type ResourceName,
  startInformer,
  type StoreChange,
  type Timers,
} from 'flotilla/controllers'
import type { RuntimeConnection } from '../../../drivers/protocol/connect-runtime.ts'
import type { InstallationSource } from '../../../drivers/protocol/installation-source.ts'
import type { TlsMaterial } from '../../../drivers/protocol/tls-material.ts'
import { createDriverConnections, type DriverConnections } from './driver-connections.ts'
import { type RuntimeEntry, runtimeEntry } from './runtime-entry.ts'
import { RuntimeLeases } from './runtime-leases.ts'

const RUNTIMES: ResourceName = {
  group: 'sandbox.flotilla.dev',
  version: 'v1alpha1',
  plural: 'sandboxruntimes',
}

interface Options {
  /** The root plane. */
  readonly client: PlaneClient
  readonly timers: Timers
  readonly random: () => number
  /** For runtimes with `https://` endpoints; null if there is no certificate. */
  readonly tls: TlsMaterial | null
  readonly installation: InstallationSource
  readonly onError: (error: unknown) => void
}

/** A runtime and the state of its lease. */
export interface ListedRuntime extends RuntimeEntry {
  /** Whether the runtime has renewed its lease in time. */
  readonly isRenewed: boolean
  /** Whether it also serves this installation. */
  readonly isLive: boolean
}

/** The registered runtimes and clients for them. */
export interface RuntimeDirectory extends AsyncDisposable {
  /** Resolves when all registered runtimes are listed. */
  readonly synced: Promise<void>
  list(): readonly ListedRuntime[]
  /** Null if the runtime is not registered. */
  get(name: string): ListedRuntime | null
  /** Null if the runtime is not registered or its endpoint cannot be used. */
  clients(name: string): Pick<RuntimeConnection, 'runtime' | 'driver'> | null
  /** The client of a driver on a runtime; null if the runtime does not offer the driver. */
  driverFor(name: string, driver: string): RuntimeConnection['driver'] | null
  /**
   * Calls back with the name of a runtime that was registered, changed or removed, or whose lease
   * has expired or begun again. Renewals are not reported. Callbacks must not throw.
   */
  onChange(callback: (name: string) => void): Disposable
}

/** Follows the SandboxRuntimes of the root plane. */
export function startRuntimeDirectory(options: Options): RuntimeDirectory {
  const { client, timers, random, tls, installation, onError } = options
  const entries = new Map<string, RuntimeEntry>()
  const callbacks = new Set<(name: string) => void>()
  const notify = (name: string): void => {
    for (const callback of callbacks) callback(name)
  }
  const leases = new RuntimeLeases(timers, notify)
  const connections = createDriverConnections({ tls, installation, onError })

  function apply({ type, object }: StoreChange): void {
    const entry = runtimeEntry(object)
    const before = entries.get(entry.name)
    if (type === 'deleted') {
      entries.delete(entry.name)
      leases.forget(entry.name)
    } else entries.set(entry.name, entry)
    const isRevived = type !== 'deleted' && leases.observe(entry)
    const isChanged = type === 'deleted' || !before || !isSameRegistration(before, entry)
    if (isChanged) connections.keepOnly(endpointsOf(entries))
    if (isChanged || isRevived) notify(entry.name)
  }

  const informer = startInformer({
    client,
    resource: RUNTIMES,
    timers,
    random,
    onChange: apply,
    onError,
  })
  return {
    synced: informer.synced,
    ...lookups({ entries, leases, connections }),
    onChange: (callback) => {
      callbacks.add(callback)
      return { [Symbol.dispose]: () => void callbacks.delete(callback) }
    },
    [Symbol.asyncDispose]: async () => {
      await informer[Symbol.asyncDispose]()
      leases[Symbol.dispose]()
      connections[Symbol.dispose]()
    },
  }
}

interface Registered {
  readonly entries: ReadonlyMap<string, RuntimeEntry>
  readonly leases: RuntimeLeases
  readonly connections: DriverConnections
}

type Lookups = Pick<RuntimeDirectory, 'list' | 'get' | 'clients' | 'driverFor'>

function lookups({ entries, leases, connections }: Registered): Lookups {
  const listed = (entry: RuntimeEntry): ListedRuntime => ({
    ...entry,
    isRenewed: leases.isLive(entry.name),
    isLive: leases.isLive(entry.name) && entry.refusal === null,
  })
  return {
    list: () => [...entries.values()].map(listed),
    get: (name) => {
      const entry = entries.get(name)
      return entry ? listed(entry) : null
    },
    clients: (name) => {
      const entry = entries.get(name)
      return entry ? connections.to(entry.endpoint) : null
    },
    driverFor: (name, driver) => {
      const found = entries.get(name)?.drivers.find((each) => each.name === driver)
      return found ? (connections.to(found.endpoint)?.driver ?? null) : null
    },
  }
}

/** Whether two states differ in the lease at most. */
function isSameRegistration(before: RuntimeEntry, after: RuntimeEntry): boolean {
  return (
    before.uid === after.uid &&
    before.generation === after.generation &&
    before.refusal === after.refusal &&
    before.startProblem === after.startProblem &&
    isDeepStrictEqual(before.classes, after.classes) &&
    isDeepStrictEqual(before.limits, after.limits) &&
    isDeepStrictEqual(before.images, after.images)
  )
}

function endpointsOf(entries: ReadonlyMap<string, RuntimeEntry>): ReadonlySet<string> {
  return new Set(
    [...entries.values()].flatMap(({ endpoint, drivers }) => [
      endpoint,
      ...drivers.map((driver) => driver.endpoint),
    ]),
  )
}
