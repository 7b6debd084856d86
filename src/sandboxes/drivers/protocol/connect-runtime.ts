import net from 'node:net'
import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node'
import { SandboxRuntime, SnapshotDriver } from '../generated/proto/snapshot_driver_pb.ts'
import { type DriverEndpoint, parseDriverEndpoint } from './driver-endpoint.ts'
import { driverTransport } from './driver-transport.ts'
import type { InstallationSource } from './installation-source.ts'
import { PROPOSAL_SNAPSHOT_DRIVER } from './proposal-service.ts'
import { SandboxDriverError } from './sandbox-driver-error.ts'
import type { TlsMaterial } from './tls-material.ts'

interface ConnectOptions {
  /** Required for `https://` endpoints. */
  readonly tls?: TlsMaterial
  /** Deadline of unary calls that pass no `timeoutMs`. Streams have none by default. */
  readonly defaultTimeoutMs?: number
  /** The installation that calls name. Without it, they name none. */
  readonly installation?: InstallationSource
}

/**
 * Clients of one server, which share one HTTP/2 connection. It opens with the first call, and again
 * after the server restarts. Failed calls reject with a SandboxDriverError. A call's `timeoutMs` is
 * its gRPC deadline, and aborting its `signal` cancels it on the server.
 */
export interface RuntimeConnection extends Disposable {
  readonly endpoint: string
  readonly runtime: Client<typeof SandboxRuntime>
  readonly driver: Client<typeof SnapshotDriver>
}

const DEFAULT_TIMEOUT_MS = 120_000
/** A connection without traffic for this time is checked with a ping before or during a call. */
const PING_INTERVAL_MS = 10_000
const PING_TIMEOUT_MS = 5000
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** Connects to a server of SandboxRuntime or SnapshotDriver: `unix:/path` or `https://host:port`. */
export function connectRuntime(endpoint: string, options: ConnectOptions = {}): RuntimeConnection {
  const address = parseDriverEndpoint(endpoint)
  const baseUrl = baseUrlOf(address)
  const sessionManager = new Http2SessionManager(
    baseUrl,
    { pingIntervalMs: PING_INTERVAL_MS, pingTimeoutMs: PING_TIMEOUT_MS },
    sessionOptions(address, options.tls),
  )
  const transport = driverTransport(
    createGrpcTransport({
      baseUrl,
      sessionManager,
      acceptCompression: [],
      readMaxBytes: MAX_MESSAGE_BYTES,
    }),
    options.defaultTimeoutMs ?? DEFAULT_TIMEOUT_MS,
    options.installation,
  )
  return {
    endpoint,
    runtime: createClient(SandboxRuntime, transport),
    driver: driverClient(transport),
    [Symbol.dispose]: () => sessionManager.abort(),
  }
}

/** Calls a driver under the name of the proposal if it does not know the call under the other one. */
function driverClient(transport: Transport): RuntimeConnection['driver'] {
  const driver = createClient(SnapshotDriver, transport)
  const proposal = createClient(PROPOSAL_SNAPSHOT_DRIVER, transport)
  return {
    ...driver,
    checkpoint: (...call) =>
      unlessUnimplemented(driver.checkpoint(...call), () => proposal.checkpoint(...call)),
    restore: (...call) =>
      unlessUnimplemented(driver.restore(...call), () => proposal.restore(...call)),
    delete: (...call) =>
      unlessUnimplemented(driver.delete(...call), () => proposal.delete(...call)),
  }
}

async function unlessUnimplemented<T>(call: Promise<T>, other: () => Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof SandboxDriverError && error.code === 'UNIMPLEMENTED') return await other()
    throw error
  }
}

function baseUrlOf(address: DriverEndpoint): string {
  if (address.type === 'unix') return 'http://localhost'
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return `https://${host}:${address.port}`
}

function sessionOptions(address: DriverEndpoint, tls: TlsMaterial | undefined) {
  if (address.type === 'unix') return { createConnection: () => net.connect(address.path) }
  if (tls === undefined) {
    throw new Error(`endpoint https://${address.host}:${address.port} needs TLS certificates`)
  }
  return { ca: tls.ca, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.3' as const }
}
