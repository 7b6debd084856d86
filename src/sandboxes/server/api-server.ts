import { X509Certificate } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Foundation } from '../../capability/foundation.ts'
import type { SandboxConfig } from '../sandbox-settings.ts'
import type { ApiServer } from '../drivers/runtime/api/api-servers.ts'
import { isOpenToAll } from '../../http/auth/open-authenticator.ts'

type ServerParts = Pick<Foundation<SandboxConfig>, 'certificate' | 'config'>

/**
 * This server as the runtime of its machine reaches it, or by PUBLIC_URL if this process does not
 * serve the API (`port` 0). Null if requests need no token: such an API is not for sandboxes.
 */
export async function apiServerOf(
  { certificate: source, config }: ServerParts,
  port: number,
): Promise<ApiServer | null> {
  if (isOpenToAll(config)) return null
  if (port === 0) {
    return config.publicUrl === null ? null : { url: config.publicUrl, certificate: '' }
  }
  // The file may contain a key too.
  const certificate = source ? new X509Certificate(source.current().cert).toString() : ''
  const scheme = source ? 'https' : 'http'
  return { url: `${scheme}://${addressOf(config)}:${port}`, certificate }
}

function addressOf({ host }: SandboxConfig): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}
