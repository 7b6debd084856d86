import {
  PROCESS_SETTINGS,
  programEnvironment,
  type Setting,
  writeGroupedValues,
} from 'flotilla/programs'
import { SANDBOX_SETTINGS } from '../sandbox-settings.ts'
import type { SandboxConfig } from '../sandbox-settings.ts'
import { snapshotKeys } from './snapshot-keys.ts'

/** Variables of Node and of the programs that sandboxd runs. */
const OF_THE_MACHINE =
  'PATH HOME TMPDIR TZ LANG LC_ALL NODE_OPTIONS NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR'.split(
    ' ',
  )

/**
 * The environment of the sandboxd that a server starts: its settings, without the secrets of the
 * server such as DATABASE_URL, which an error in it could reveal to sandboxes.
 */
export function sandboxdEnvironment(config: SandboxConfig, directory: string): NodeJS.ProcessEnv {
  const inherited = programEnvironment()
  const settings: readonly Setting<unknown>[] = Object.values({
    ...PROCESS_SETTINGS,
    ...SANDBOX_SETTINGS,
  })
  const current = settings.filter(({ retired }) => retired !== true)
  const names = [...OF_THE_MACHINE, ...current.map(({ env }) => env)]
  const entries = names.flatMap((name) => {
    const value = inherited[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(entries), ...settingsOf(config, directory) }
}

/** The settings of this server, which may differ from the environment. */
function settingsOf(config: SandboxConfig, directory: string): NodeJS.ProcessEnv {
  const keys = snapshotKeys(config).map(({ id, key }) => `${id}:${key.toString('base64')}`)
  return {
    DATA_DIR: config.dataDir,
    LOG_LEVEL: config.logLevel,
    // Its settings are complete, and the file can contain secrets.
    FLOTILLA_ENV_FILE: '',
    SANDBOX_UNISOLATED: `${config.sandboxUnisolated}`,
    SANDBOX_ENCRYPTION_KEYS: keys.join(','),
    SANDBOXD: groupOf(config, directory),
  }
}

/** Without `server` and `token-file`: the server registers it. */
function groupOf(config: SandboxConfig, directory: string): string {
  const { sandboxdDrivers: drivers } = config
  return writeGroupedValues({
    dir: directory,
    listen: config.sandboxdListen.join(','),
    endpoint: config.sandboxdEndpoint ?? '',
    'tls-cert': config.sandboxdTlsCertFile ?? '',
    'tls-key': config.sandboxdTlsKeyFile ?? '',
    'tls-ca': config.sandboxdTlsCaFile ?? '',
    capacity: `${config.sandboxdCapacity}`,
    drivers: drivers.length > 0 ? JSON.stringify(drivers) : '',
    'store-roots': config.sandboxdStoreRoots.join(','),
    'keep-workloads': `${config.sandboxdKeepWorkloads}`,
  })
}
