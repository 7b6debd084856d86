import type { Config } from '../config/settings.ts'
import { configuredIssuers } from '../core/auth/issuer-settings.ts'

/** Why a server starts no sandboxes; null if it does. Programs in sandboxes reach its API. */
export function sandboxStartProblem(config: Config): string | null {
  const needsToken = !config.authDisabled && configuredIssuers(config).length > 0
  if (needsToken || config.sandboxUnisolated) return null
  return (
    'this server needs no token, so programs in sandboxes could administer it: configure ' +
    'authentication (JWT_JWKS_URL), or set SANDBOX_UNISOLATED=true'
  )
}
