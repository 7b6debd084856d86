import type { Config } from '../config/settings.ts'
import { isOpenToAll } from './open-authenticator.ts'

/** Why a server starts no sandboxes without a wall; null if it does. Their programs reach its API. */
export function sandboxStartProblem(config: Config): string | null {
  if (!isOpenToAll(config) || config.sandboxUnisolated) return null
  return (
    'this server needs no token, so programs without a wall could administer it: install ' +
    'bubblewrap, configure authentication (JWT_JWKS_URL), or set SANDBOX_UNISOLATED=true'
  )
}
