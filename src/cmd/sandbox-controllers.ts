import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Config } from '../config/settings.ts'
import { startLifetimeController } from '../controllers/sandbox-lifetimes/lifetime-controller.ts'
import { startPoolController } from '../controllers/sandbox-pools/pool-controller.ts'
import {
  type ListedRuntime,
  type RuntimeDirectory,
  startRuntimeDirectory,
} from '../controllers/sandboxes/runtimes/runtime-directory.ts'
import { adoptRuntimes } from '../controllers/sandboxes/runtimes/adopt-runtimes.ts'
import { startSandboxController } from '../controllers/sandboxes/sandbox-controller.ts'
import type { SandboxMetrics } from '../controllers/sandboxes/sandbox-metrics.ts'
import type { SandboxRecords } from '../controllers/sandboxes/sandbox-records.ts'
import { startClaimController } from '../controllers/snapshot-claims/claim-controller.ts'
import { startProtectionController } from '../controllers/snapshot-protection/protection-controller.ts'
import { startSnapshotSweeper } from '../controllers/snapshot-sweeper/snapshot-sweeper.ts'
import { startSnapshotController } from '../controllers/snapshots/snapshot-controller.ts'
import type { StartController } from '../controllers/start-controllers.ts'
import type { TlsMaterial } from '../drivers/protocol/tls-material.ts'
import { must } from '../lib/assert.ts'
import { describeRuntime } from './describe-runtime.ts'
import { ROOT_PLANE } from './plane-directory.ts'
import { sandboxStartProblem } from './sandbox-start-problem.ts'
import { readSandboxdTls } from './sandboxd-tls.ts'

interface Options {
  readonly config: Config
  readonly records: SandboxRecords
  readonly metrics: SandboxMetrics
}

/** The controllers of sandboxes and snapshots, which share the directory of runtimes. */
export function sandboxControllers({ config, records, metrics }: Options): StartController {
  return async ({ onError, ...parts }) => {
    const { fleet, timers, random } = parts
    const report = (controller: string) => (error: unknown) => onError(controller, error)
    const client = fleet.plane(ROOT_PLANE.plane)
    const tls = await readSandboxdTls(config)
    const onDirectoryError = report('directory of sandbox runtimes')
    const runtimes = startRuntimeDirectory({
      client,
      timers,
      random,
      tls,
      onError: onDirectoryError,
    })
    const started = [
      adoptRuntimes({ client, runtimes, timers, describe: describes({ runtimes, tls }) }),
      await startSandboxController({
        ...parts,
        records,
        runtimes,
        startProblem: sandboxStartProblem(config),
        sandboxMetrics: metrics,
        holder: `${hostname()}_${process.pid}_${randomUUID()}`,
        onError: report('sandboxes'),
      }),
      await startClaimController({ ...parts, onError: report('snapshot claims') }),
      await startProtectionController({ ...parts, onError: report('snapshot protection') }),
      await startLifetimeController({
        ...parts,
        readState: (uid) => records.readState(uid),
        onError: report('sandbox lifetimes'),
      }),
      await startPoolController({
        ...parts,
        randomDigits: (length) => randomBytes(length).toString('hex').slice(0, length),
        onError: report('sandbox pools'),
      }),
      await startSnapshotController({
        ...parts,
        records,
        runtimes,
        onError: report('snapshots'),
      }),
      await startSnapshotSweeper({
        ...parts,
        runtimes,
        everyMs: config.snapshotSweepInterval * 1000,
        graceMs: config.snapshotOrphanGrace * 1000,
        onError: report('snapshot sweeper'),
      }),
    ]
    return {
      [Symbol.asyncDispose]: async () => {
        await Promise.all(started.map((each) => each[Symbol.asyncDispose]()))
        await runtimes[Symbol.asyncDispose]()
      },
    }
  }
}

interface Described {
  readonly runtimes: Pick<RuntimeDirectory, 'clients'>
  readonly tls: TlsMaterial | null
}

/** Asks a runtime of this machine for its registration. */
function describes({ runtimes, tls }: Described) {
  return ({ name, endpoint }: ListedRuntime) =>
    describeRuntime({
      connection: must(runtimes.clients(name), 'the connection of a Unix socket'),
      endpoint,
      tls,
    })
}
