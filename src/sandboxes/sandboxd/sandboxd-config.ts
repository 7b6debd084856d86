import path from 'node:path'
import {
  formerWarnings,
  PROCESS_SETTINGS,
  readSettings,
  settingsHelp,
  throwIfInvalid,
  type ValuesOf,
} from 'flotilla/programs'
import { SANDBOX_SETTINGS } from '../sandbox-settings.ts'

const ROWS = { ...PROCESS_SETTINGS, ...SANDBOX_SETTINGS }

/** The settings of `flotilla sandboxd`, with the defaults that depend on others. */
export interface SandboxdConfig extends ValuesOf<typeof ROWS> {
  readonly directory: string
  readonly storeRoots: readonly string[]
}

/** The help of `flotilla sandboxd`. */
export function sandboxdHelp(): string {
  return settingsHelp(
    'Usage: flotilla sandboxd\n\nRuns the workloads of sandboxes on this machine.',
    Object.values(ROWS),
  )
}

/** A line for each variable of the last version that is set. */
export function sandboxdWarnings(env: NodeJS.ProcessEnv): readonly string[] {
  return formerWarnings(Object.values(ROWS), env)
}

/** Reads the settings of `flotilla sandboxd`. */
export function readSandboxdConfig(env: NodeJS.ProcessEnv): SandboxdConfig {
  const { values, problems } = readSettings(ROWS, env)
  const { sandboxdListen, sandboxdTlsCertFile, sandboxdTlsKeyFile, sandboxdTlsCaFile } = values
  const tls = [sandboxdTlsCertFile, sandboxdTlsKeyFile, sandboxdTlsCaFile]
  const listensOnTcp = sandboxdListen.some((endpoint) => endpoint.startsWith('https:'))
  throwIfInvalid([
    ...problems,
    ...(listensOnTcp && tls.includes(null)
      ? ['SANDBOXD: listen: https:// needs tls-cert, tls-key and tls-ca']
      : []),
  ])
  const directory = sandboxdDirectory(values)
  const roots = values.sandboxdStoreRoots.map((root) => path.resolve(root))
  return {
    ...values,
    directory,
    storeRoots: roots.length > 0 ? roots : [path.join(directory, 'snapshots')],
  }
}

/** The directory of the runtime on this machine. */
export function sandboxdDirectory(values: {
  readonly sandboxdDir: string | null
  readonly dataDir: string
}): string {
  return path.resolve(values.sandboxdDir ?? path.join(values.dataDir, 'sandboxd'))
}
