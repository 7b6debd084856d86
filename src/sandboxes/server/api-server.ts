import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isIPv6 } from 'node:net'
import type { SandboxConfig } from '../sandbox-settings.ts'
import type { ApiServer } from '../drivers/runtime/api/api-servers.ts'
import { isOpenToAll } from '../../http/auth/open-authenticator.ts'

type Settings = Pick<
  SandboxConfig,
  'host' | 'publicUrl' | 'tlsCertFile' | 'tlsSelfSigned' | 'dataDir'
>

/**
 * This server as the runtime of its machine reaches it, or by PUBLIC_URL if this process does not
 * serve the API (`port` 0). Null if requests need no token: such an API is not for sandboxes.
 */
export async function apiServerOf(config: SandboxConfig, port: number): Promise<ApiServer | null> {
  if (isOpenToAll(config)) return null
  if (port === 0) {
    return config.publicUrl === null ? null : { url: config.publicUrl, certificate: '' }
  }
  const certificate = await ownCertificate(config)
  const scheme = certificate === '' ? 'http' : 'https'
  return { url: `${scheme}://${addressOf(config)}:${port}`, certificate }
}

function addressOf({ host }: Settings): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}

/** The first certificate of the file, without a key that it may contain. */
async function ownCertificate({ tlsCertFile, tlsSelfSigned, dataDir }: Settings): Promise<string> {
  const selfSigned = tlsSelfSigned ? path.join(dataDir, 'tls', 'ca.crt') : null
  const file = tlsCertFile ?? selfSigned
  return file === null ? '' : new X509Certificate(await readFile(file)).toString()
}
