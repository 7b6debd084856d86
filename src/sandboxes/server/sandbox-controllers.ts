import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { must } from 'flotilla'
import { named, type StartController, startInOrder } from 'flotilla/controllers'
import { ROOT_PLANE } from 'flotilla/planes'
import type { SandboxConfig } from '../sandbox-settings.ts'
import { startLifetimeController } from '../controllers/sandbox-lifetimes/lifetime-controller.ts'
import { startPoolController } from '../controllers/sandbox-pools/pool-controller.ts'
import {
  type ListedRuntime,
  type RuntimeDirectory,
  startRuntimeDirectory,
} from '../controllers/sandboxes/runtimes/runtime-directory.ts'
import { adoptRuntimes } from '../controllers/sandboxes/runtimes/adopt-runtimes.ts'
import type { ApiTokens } from '../controllers/sandboxes/api-tokens.ts'
import { startSandboxController } from '../controllers/sandboxes/sandbox-controller.ts'
import type { SandboxMetrics } from '../controllers/sandboxes/sandbox-metrics.ts'
import type { SandboxRecords } from '../controllers/sandboxes/sandbox-records.ts'
import { startClaimController } from '../controllers/snapshot-claims/claim-controller.ts'
import { startProtectionController } from '../controllers/snapshot-protection/protection-controller.ts'
import { startSnapshotSweeper } from '../controllers/snapshot-sweeper/snapshot-sweeper.ts'
import { startSnapshotController } from '../controllers/snapshots/snapshot-controller.ts'
import type { InstallationSource } from '../drivers/protocol/installation-source.ts'
import type { TlsMaterial } from '../drivers/protocol/tls-material.ts'
import { type ApiServerOf, describeRuntime } from '../sandboxd/describe-runtime.ts'
import { sandboxStartProblem } from './sandbox-start-problem.ts'
import { readSandboxdTls } from '../sandboxd/sandboxd-tls.ts'

interface Options {
  readonly config: SandboxConfig
  readonly records: SandboxRecords
  readonly metrics: SandboxMetrics
  readonly apiTokens: ApiTokens
  /** The tenant of a plane; empty if it belongs to none. */
  readonly tenantOf: (plane: string) => Promise<string>
  readonly apiServer: ApiServerOf
  readonly installation: InstallationSource
}

/** The controllers of sandboxes and snapshots, which share the directory of runtimes. */
export function sandboxControllers(options: Options): StartController {
  return async (parts) => {
    const { fleet, timers, random, onError } = parts
    const client = fleet.plane(ROOT_PLANE)
    const tls = await readSandboxdTls(options.config)
    const runtimes = startRuntimeDirectory({
      client,
      timers,
      random,
      tls,
      installation: options.installation,
      onError: (error) => onError('directory of sandbox runtimes', error),
    })
    const describe = describes({ runtimes, tls, apiServer: options.apiServer })
    const adoption: StartController = () =>
      Promise.resolve(adoptRuntimes({ client, runtimes, timers, describe }))
    try {
      const starts = [adoption, ...controllersOf(options, runtimes)]
      const controllers = await startInOrder(starts, parts)
      return {
        [Symbol.asyncDispose]: async () => {
          await controllers[Symbol.asyncDispose]()
          await runtimes[Symbol.asyncDispose]()
        },
      }
    } catch (error) {
      await runtimes[Symbol.asyncDispose]()
      throw error
    }
  }
}

function controllersOf(
  { config, records, metrics, apiTokens, tenantOf }: Options,
  runtimes: RuntimeDirectory,
): readonly StartController[] {
  return [
    named('sandboxes', (parts) =>
      startSandboxController({
        ...parts,
        records,
        runtimes,
        startProblem: sandboxStartProblem(config),
        apiTokens,
        tenantOf,
        sandboxMetrics: metrics,
        holder: `${hostname()}_${process.pid}_${randomUUID()}`,
      }),
    ),
    named('snapshot claims', startClaimController),
    named('snapshot protection', startProtectionController),
    named('sandbox lifetimes', (parts) =>
      startLifetimeController({ ...parts, readState: (uid) => records.readState(uid) }),
    ),
    named('sandbox pools', (parts) =>
      startPoolController({
        ...parts,
        randomDigits: (length) => randomBytes(length).toString('hex').slice(0, length),
      }),
    ),
    named('snapshots', (parts) => startSnapshotController({ ...parts, records, runtimes })),
    named('snapshot sweeper', (parts) =>
      startSnapshotSweeper({
        ...parts,
        runtimes,
        everyMs: config.snapshotSweepInterval * 1000,
        graceMs: config.snapshotOrphanGrace * 1000,
      }),
    ),
  ]
}

interface Described {
  readonly runtimes: Pick<RuntimeDirectory, 'clients'>
  readonly tls: TlsMaterial | null
  readonly apiServer: ApiServerOf
}

/** Asks a runtime of this machine for its registration. */
function describes({ runtimes, ...parts }: Described) {
  return ({ name, endpoint }: ListedRuntime) =>
    describeRuntime({
      connection: must(runtimes.clients(name), 'the connection of a Unix socket'),
      endpoint,
      ...parts,
    })
}
