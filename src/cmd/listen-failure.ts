import { errorCode } from '../lib/error-code.ts'
import { errorMessage } from '../lib/error-message.ts'
import { SettingError } from '../lib/setting-error.ts'

const OWN_ADDRESS = 'set HOST to an address of this machine'

/** Remedies by code of the error. */
const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'set PORT, HEALTH_PORT, METRICS_PORT or SHARD_PORT to a free port, or to 0',
  EACCES:
    'set PORT, HEALTH_PORT, METRICS_PORT or SHARD_PORT to a port from 1024, or give this user the right',
  EADDRNOTAVAIL: OWN_ADDRESS,
  EAI_AGAIN: OWN_ADDRESS,
  ENOTFOUND: OWN_ADDRESS,
}

/** The failure to listen, with its remedy. */
export function listenFailure(cause: unknown): SettingError {
  const remedy = REMEDIES[errorCode(cause) ?? ''] ?? 'check HOST and the ports'
  return new SettingError(`${errorMessage(cause)}: ${remedy}`, { cause })
}
