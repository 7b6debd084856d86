import os from 'node:os'
import type { Logger } from 'pino'
import { systemClock } from 'flotilla'
import { packageVersion, SettingError } from 'flotilla/programs'
import { DEFAULT_ARCHIVE_LIMITS } from '../drivers/archives/archive-limits.ts'
import { findArchiveTools } from '../drivers/archives/archive-tools.ts'
import { openCriuMemory } from '../drivers/criu/open-criu-memory.ts'
import { openGvisorMemory } from '../drivers/gvisor/open-gvisor-memory.ts'
import { createProcessDriver } from '../drivers/process/process-driver.ts'
import type { ProcessDriverOptions } from '../drivers/process/process-driver-options.ts'
import { createRemoteDriver } from '../drivers/remote/remote-driver.ts'
import type { HostedDriver, HostedDrivers } from '../drivers/runtime/hosted-drivers.ts'
import type { OfferedWall } from '../drivers/runtime/walls/wall.ts'
import type { Machine } from '../drivers/runtime/machine/machine.ts'
import type { RuntimeLayout } from '../drivers/runtime/sandbox-layout.ts'
import type { SandboxdConfig } from './sandboxd-config.ts'

interface Options {
  readonly config: SandboxdConfig
  readonly machine: Machine
  readonly layout: RuntimeLayout
  readonly walls: readonly OfferedWall[]
  readonly log: Logger
}

/** The snapshot drivers of `flotilla sandboxd`, and those of other programs. */
export async function hostedDrivers(options: Options): Promise<HostedDrivers> {
  const { config, machine, layout, walls, log } = options
  const memories = await Promise.all([openCriuMemory({ machine, layout }), openGvisorMemory(walls)])
  const keepsPlainMemory = config.sandboxEncryptionKeys.length === 0
  if (keepsPlainMemory && memories.some(({ unavailable }) => unavailable === '')) {
    log.warn('memory in snapshots is not encrypted: set SANDBOX_ENCRYPTION_KEYS')
  }
  for (const memory of memories) {
    if (memory.unavailable === '') continue
    log.info({ driver: memory.driver, reason: memory.unavailable }, 'a driver is not available')
  }
  const process: ProcessDriverOptions = {
    machine: machine.name,
    architecture: os.arch(),
    version: packageVersion(),
    freezes: machine.cgroups !== null,
    storeRoots: config.storeRoots,
    encryptionKeys: config.sandboxEncryptionKeys,
    tools: await findArchiveTools(),
    limits: DEFAULT_ARCHIVE_LIMITS,
    clock: systemClock,
    memory: null,
  }
  const drivers: readonly HostedDriver[] = [
    createProcessDriver(process),
    ...memories.map((memory) => createProcessDriver({ ...process, memory })),
    ...config.sandboxdDrivers.map(({ name, endpoint }) =>
      createRemoteDriver({ name, endpoint, machine: machine.name }),
    ),
  ]
  const names = drivers.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) {
    throw new SettingError(`drivers of SANDBOXD: driver '${repeated}' exists already, rename it`)
  }
  return new Map(drivers.map((driver) => [driver.name, driver]))
}
