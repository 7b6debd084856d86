import {
  connectRuntime,
  type RuntimeConnection,
} from '../../../drivers/protocol/connect-runtime.ts'
import type { InstallationSource } from '../../../drivers/protocol/installation-source.ts'
import type { TlsMaterial } from '../../../drivers/protocol/tls-material.ts'

interface Options {
  /** For endpoints with TLS; null if there is no certificate. */
  readonly tls: TlsMaterial | null
  readonly installation: InstallationSource
  /** An endpoint cannot be used. */
  readonly onError: (error: unknown) => void
}

/** Connections to runtimes and drivers, one for each endpoint. */
export interface DriverConnections extends Disposable {
  /** Null if the endpoint cannot be used. */
  to(endpoint: string): RuntimeConnection | null
  /** Closes the connections to other endpoints. */
  keepOnly(endpoints: ReadonlySet<string>): void
}

/** Opens connections on first use. */
export function createDriverConnections({
  tls,
  installation,
  onError,
}: Options): DriverConnections {
  const open = new Map<string, RuntimeConnection>()
  const connect = (endpoint: string): RuntimeConnection | null => {
    try {
      const connection = connectRuntime(endpoint, { installation, ...(tls && { tls }) })
      open.set(endpoint, connection)
      return connection
    } catch (error) {
      onError(error)
      return null
    }
  }
  const close = (keeps: (endpoint: string) => boolean): void => {
    for (const [endpoint, connection] of open) {
      if (keeps(endpoint)) continue
      open.delete(endpoint)
      connection[Symbol.dispose]()
    }
  }
  return {
    to: (endpoint) => open.get(endpoint) ?? connect(endpoint),
    keepOnly: (endpoints) => close((endpoint) => endpoints.has(endpoint)),
    [Symbol.dispose]: () => close(() => false),
  }
}
