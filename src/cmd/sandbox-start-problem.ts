import type { Config } from '../config/settings.ts'
import { isOpenToAll } from './open-authenticator.ts'

/** Why a server starts no sandboxes; null if it does. Programs in sandboxes reach its API. */
export function sandboxStartProblem(config: Config): string | null {
  if (!isOpenToAll(config) || config.sandboxUnisolated) return null
  return (
    'this server needs no token, so programs in sandboxes could administer it: configure ' +
    'authentication (JWT_JWKS_URL), or set SANDBOX_UNISOLATED=true'
  )
}
