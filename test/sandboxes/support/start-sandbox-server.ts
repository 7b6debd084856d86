import type { Logger } from 'pino'
import type { Config } from '../../../src/cmd/config.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { sandboxApi } from '../kinds/sandbox-api.ts'
import { registerRuntime } from './register-runtime.ts'
import { waitForConditions } from './sandbox-conditions.ts'
import { startSandboxd, type SandboxdOptions, type TestSandboxd } from './start-sandboxd.ts'

/** A server with controllers, a real sandboxd, and a provider `local` with its directory. */
export interface SandboxServer extends AsyncDisposable {
  readonly server: TestServer
  readonly sandboxd: TestSandboxd
  readonly api: ReturnType<typeof sandboxApi>
  readonly waitFor: (
    name: string,
    ...conditions: readonly string[]
  ) => ReturnType<typeof waitForConditions>
}

interface Options {
  readonly env?: NodeJS.ProcessEnv
  readonly config?: Partial<Config>
  /** Options, or a running one, which the caller disposes. */
  readonly sandboxd?: SandboxdOptions | TestSandboxd
  /** Receives the server's log. */
  readonly log?: Logger
}

/** Starts a server and a sandboxd that run workloads. */
export async function startSandboxServer(options: Options = {}): Promise<SandboxServer> {
  const { sandboxd: given = {} } = options
  const isRunning = 'connection' in given
  const sandboxd = isRunning ? given : await startSandboxd(given)
  const server = await startTestServer({
    env: { ROLE: 'all', SANDBOX_RUNTIME: 'off', ...options.env },
    ...(options.config && { config: options.config }),
    ...(options.log && { log: options.log }),
  })
  const api = sandboxApi(server.origin)
  const { machine } = await sandboxd.connection.runtime.getRuntimeInfo({})
  const registration = await registerRuntime(() => api, {
    name: 'local',
    endpoint: sandboxd.endpoint,
    machine,
    driver: 'process',
  })
  await api.create({
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'SnapshotProvider',
    metadata: { name: 'local' },
    spec: { providerType: 'process', local: { path: `${sandboxd.directory}/snapshots` } },
  })
  return {
    server,
    sandboxd,
    api,
    waitFor: (name, ...conditions) => waitForConditions(() => api.getSandbox(name), ...conditions),
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      if (!isRunning) await sandboxd[Symbol.asyncDispose]()
    },
  }
}
