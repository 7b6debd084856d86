import { defineCapability } from '../capability/capability.ts'
import { planes } from '../planes/capability.ts'
import { createImagePlugin } from './access/image-plugin.ts'
import { createRestorePlugin } from './access/restore-plugin.ts'
import { sandboxRoles } from './access/sandbox-roles.ts'
import { createInstallationSource } from './drivers/protocol/installation-source.ts'
import { isSandboxRunning } from './storage/is-sandbox-running.ts'
import { readInstallation } from './storage/read-installation.ts'
import { sandboxRecords } from './storage/sandbox-records.ts'
import { SANDBOX_SETTINGS } from './sandbox-settings.ts'
import { deriveSnapshots, SNAPSHOT_SETTINGS } from './snapshot-settings.ts'
import { createSandboxTokens } from './sandbox-tokens.ts'
import { readSandboxdTls } from './sandboxd/sandboxd-tls.ts'
import { runLocalSandboxd } from './sandboxd/run-local-sandboxd.ts'
import { apiServerOf } from './server/api-server.ts'
import { readRuntimes } from './server/read-runtimes.ts'
import { createSandboxes } from './server/create-sandboxes.ts'
import { sandboxControllers } from './server/sandbox-controllers.ts'
import { createSandboxMetrics } from './server/sandbox-metrics.ts'
import { sandboxApiProblem } from './server/sandbox-start-problem.ts'
import { createSandboxWorkloads } from './server/sandbox-workloads.ts'
import { removeStatesOfPlanes } from './storage/remove-states-of-planes.ts'
import { SANDBOX_TABLES } from './sandbox-tables.ts'

/** Sandboxes that suspend and resume, and their snapshots. */
export const sandboxes = defineCapability({
  name: 'sandboxes',
  needs: { planes },
  settings: { ...SANDBOX_SETTINGS, ...SNAPSHOT_SETTINGS },
  derive: (values) => deriveSnapshots(values),
  tables: SANDBOX_TABLES,
  async open({ certificate, clock, config, database, lifecycle, log, metrics, needs }) {
    const plane = needs.planes
    const records = sandboxRecords(database)
    const installation = createInstallationSource(
      () => readInstallation(database),
      () => performance.now(),
    )
    const workloads = createSandboxWorkloads({
      records,
      store: () => plane.sealed().store,
      tls: await readSandboxdTls(config),
      installation,
      onError: (error) => log.warn({ err: error }, 'the endpoint of a runtime cannot be used'),
    })
    lifecycle.onClose('connections to runtimes', () => workloads[Symbol.dispose]())
    plane.resources.push(
      ...createSandboxes({ config, workloads, controlPlane: plane.sealed, clock }),
    )
    plane.roles.push(sandboxRoles)
    const tenantOf = async (id: string): Promise<string> =>
      (await plane.further?.tenantOf(id)) ?? ''
    plane.admission.push(createRestorePlugin, () =>
      createImagePlugin({ readRuntimes: () => readRuntimes(plane.sealed().store), tenantOf }),
    )
    plane.removals.push(removeStatesOfPlanes)
    plane.isRunning = (sandbox) => isSandboxRunning(database, sandbox)
    plane.controllers.push((port) => {
      const { store, tokens } = plane.sealed()
      return sandboxControllers({
        config,
        records,
        metrics: createSandboxMetrics(metrics.registry),
        apiTokens: createSandboxTokens({
          tokens,
          readObject: store.read,
          clock,
          maxTokenAge: config.serviceAccountTokenMaxAge,
          problem: sandboxApiProblem(config),
        }),
        tenantOf,
        apiServer: () => apiServerOf({ certificate, config }, port),
        installation,
      })
    })
    return { installation }
  },
  run({ certificate, config, lifecycle, log, needs, port, signal }, { installation }) {
    if (config.role === 'api' || config.sandboxRuntime !== 'local') return
    const apiServer = () => apiServerOf({ certificate, config }, port)
    const sandboxd = runLocalSandboxd({
      config,
      fleet: needs.planes.client(),
      log,
      installation,
      apiServer,
      signal,
    })
    lifecycle.onClose('sandboxd', () => sandboxd[Symbol.asyncDispose]())
  },
})
