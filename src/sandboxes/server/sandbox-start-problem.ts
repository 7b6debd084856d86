import type { SandboxConfig } from '../sandbox-settings.ts'
import { isOpenToAll } from '../../http/auth/open-authenticator.ts'

/** Why a server starts no sandboxes without a wall; null if it does. Their programs reach its API. */
export function sandboxStartProblem(config: SandboxConfig): string | null {
  if (!isOpenToAll(config) || config.sandboxUnisolated) return null
  return (
    'this server needs no token, so programs without a wall could administer it: install ' +
    'bubblewrap, configure authentication (JWT_JWKS_URL), or set SANDBOX_UNISOLATED=true'
  )
}

/** Why a server gives no sandbox access to its API; null if it does. */
export function sandboxApiProblem(config: SandboxConfig): string | null {
  if (!isOpenToAll(config)) return null
  return (
    'this server needs no token, so a program with access to the API could administer it: ' +
    'configure authentication (JWT_JWKS_URL)'
  )
}
