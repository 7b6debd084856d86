import type { Logger } from 'pino'
import type { HostedDriver, HostedDrivers } from '../drivers/runtime/hosted-drivers.ts'
import type { Machine } from '../drivers/runtime/machine/machine.ts'
import type { SandboxdConfig } from './sandboxd-config.ts'

interface Options {
  readonly config: SandboxdConfig
  readonly log: Logger
  readonly machine: Machine
  /** Private directory of the runtime. */
  readonly stateDirectory: string
}

/** The snapshot drivers that are part of `flotilla sandboxd`. */
export async function hostedDrivers(_options: Options): Promise<HostedDrivers> {
  const drivers: readonly HostedDriver[] = []
  return new Map(drivers.map((driver) => [driver.name, driver]))
}
