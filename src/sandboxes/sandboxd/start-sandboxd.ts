import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type { ServiceImpl } from '@connectrpc/connect'
import { systemClock } from 'flotilla'
import { createLifecycle, selfSignedFiles } from 'flotilla/programs'
import { callerInstallation } from '../drivers/protocol/installation.ts'
import { openOperationLedger } from '../drivers/protocol/operation-ledger.ts'
import { serveDrivers } from '../drivers/protocol/serve-drivers.ts'
import { SandboxRuntime, SnapshotDriver } from '../drivers/generated/proto/snapshot_driver_pb.ts'
import type { ApiIdentity } from '../drivers/runtime/api/api-gateway.ts'
import { hasSandboxes, type HostState } from '../drivers/runtime/host/host-state.ts'
import { openHost } from '../drivers/runtime/host/open-host.ts'
import { API } from '../drivers/runtime/network/router-addresses.ts'
import { readRuntimeId } from '../drivers/runtime/runtime-id.ts'
import { createCallTracker } from '../drivers/runtime/service/call-tracker.ts'
import { driverService } from '../drivers/runtime/service/driver-service.ts'
import {
  type InstallationBinding,
  openInstallationBinding,
} from '../drivers/runtime/service/installation-binding.ts'
import { runtimeService } from '../drivers/runtime/service/runtime-service.ts'
import { startProblemOf } from '../drivers/runtime/walls/start-problem.ts'
import { makeSocketDirectory, socketPath } from '../drivers/runtime/socket-path.ts'
import { hostedDrivers } from './hosted-drivers.ts'
import { markManaged } from './managed-sandboxd.ts'
import { readSandboxdTls } from './sandboxd-tls.ts'
import type { SandboxdConfig } from './sandboxd-config.ts'

/** Time between SIGTERM and SIGKILL when all workloads end with the runtime. */
const GRACE_MS = 10_000

/** A running runtime. Disposal closes its endpoints and leaves the workloads running. */
export interface Sandboxd extends AsyncDisposable {
  readonly id: string
  /** The first is the socket. */
  readonly endpoints: readonly string[]
  /** Milliseconds without a call. */
  idleMs(): number
  terminateWorkloads(): Promise<void>
}

interface Options {
  readonly log: Logger
  /** Whether a server has started it. */
  readonly isManaged: boolean
}

/** The composition root of `flotilla sandboxd`. */
export async function startSandboxd(
  config: SandboxdConfig,
  { log, isManaged }: Options,
): Promise<Sandboxd> {
  const lifecycle = createLifecycle((name, error) => {
    log.error({ err: error }, `closing ${name} failed`)
  })
  try {
    const host = await openHost({
      directory: config.directory,
      capacity: config.sandboxdCapacity,
      startsUnisolated: config.sandboxUnisolated,
      drivers: (machine, layout, walls) => hostedDrivers({ config, machine, layout, walls, log }),
      apiIdentity: () => apiIdentity(config.directory),
      clock: systemClock,
      log,
    })
    lifecycle.onClose('host', () => host[Symbol.asyncDispose]())
    const startProblem = startProblemOf(host.state.walls)
    if (startProblem !== '') log.warn({ problem: startProblem }, 'sandboxes do not start')
    const { stateDirectory } = host.state.layout
    for (const root of config.storeRoots) await mkdir(root, { recursive: true, mode: 0o700 })
    const id = await readRuntimeId(stateDirectory, host.state.machine.name)
    const ledger = await openOperationLedger({
      directory: path.join(stateDirectory, 'operations'),
      clock: systemClock,
    })
    const tracker = createCallTracker(() => performance.now())
    const binding = await openBinding(host.state, log)
    const services: Services = {
      binding,
      runtime: tracker.track(runtimeService(host.state, { id, binding })),
      driver: tracker.track(driverService(host.state, ledger)),
    }
    await makeSocketDirectory(stateDirectory)
    // A server that connects finds out whether it may stop this process.
    if (isManaged) await markManaged(config.directory)
    const endpoints: string[] = []
    for (const listen of [`unix:${socketPath(stateDirectory)}`, ...config.sandboxdListen]) {
      const server = await serve({ config, log }, listen, services)
      lifecycle.onClose(listen, () => server[Symbol.asyncDispose]())
      endpoints.push(server.endpoint)
    }
    return {
      id,
      endpoints,
      idleMs: () => tracker.idleMs(),
      terminateWorkloads: () => host.terminateAll(GRACE_MS),
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

/** The installation that uses this runtime. */
function openBinding(state: HostState, log: Logger): Promise<InstallationBinding> {
  return openInstallationBinding({
    directory: state.layout.stateDirectory,
    hasSandboxes: (installation) => hasSandboxes(state, installation),
    now: () => performance.now(),
    log,
  })
}

/** A self-signed certificate for the API inside sandboxes. */
async function apiIdentity(directory: string): Promise<ApiIdentity> {
  const dataDir = path.join(directory, 'api')
  const names = { host: API.host, machine: API.name }
  const files = await selfSignedFiles({ dataDir, ...names, now: new Date() })
  return {
    certificate: await readFile(files.caFile, 'utf8'),
    key: await readFile(files.keyFile, 'utf8'),
  }
}

interface Services {
  readonly binding: InstallationBinding
  readonly runtime: ServiceImpl<typeof SandboxRuntime>
  readonly driver: ServiceImpl<typeof SnapshotDriver>
}

/** The calls that answer other installations too: they read nothing of sandboxes. */
const DESCRIPTIONS: ReadonlySet<string> = new Set([
  SandboxRuntime.method.getRuntimeInfo.name,
  SnapshotDriver.method.getInfo.name,
])

async function serve(
  { config, log }: { readonly config: SandboxdConfig; readonly log: Logger },
  listen: string,
  { binding, ...services }: Services,
) {
  const tls = listen.startsWith('https:') ? await readSandboxdTls(config) : null
  return serveDrivers({
    listen,
    ...services,
    ...(tls && { tls }),
    admit: (headers, method) =>
      binding.begin(DESCRIPTIONS.has(method) ? null : callerInstallation(headers)),
    onUnexpectedError: (error, method) => log.error({ err: error, method }, 'a call failed'),
  })
}
