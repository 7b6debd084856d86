import type { Config } from '../config/settings.ts'
import { type IssuerSettings, singleIssuer } from '../core/auth/issuer-settings.ts'
import { type Authenticator, createAuthenticator } from '../http/auth/authenticator.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log/log.ts'

/** Opens the authenticator that the settings describe. */
export function openAuthenticator(
  config: Config,
  context: { readonly clock: Clock; readonly log: Log },
): Promise<Authenticator> {
  const { authDisabled: disabled, jwtGroupsClaim: groupsClaim } = config
  return createAuthenticator({ issuers: issuersOf(config), disabled, groupsClaim }, context)
}

function issuersOf(config: Config): readonly IssuerSettings[] {
  const single = singleIssuer({
    jwksUrl: config.jwtJwksUrl,
    jwksFile: config.jwtJwksFile,
    issuer: config.jwtIssuer,
    audience: config.jwtAudience,
  })
  return single ? [single, ...config.jwtIssuers] : config.jwtIssuers
}
