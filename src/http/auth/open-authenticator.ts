import type { AUTHENTICATION_SETTINGS } from '../../access/authentication-settings.ts'
import type { ValuesOf } from '../../lib/settings/read-settings.ts'
import { configuredIssuers } from '../../access/issuer-settings.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log/log.ts'

type AuthenticationConfig = ValuesOf<typeof AUTHENTICATION_SETTINGS>

/** Opens the authenticator that the settings describe. */
export function openAuthenticator(
  config: AuthenticationConfig,
  context: { readonly clock: Clock; readonly log: Log },
): Promise<Authenticator> {
  const { authDisabled: disabled } = config
  return createAuthenticator({ issuers: configuredIssuers(config), disabled }, context)
}

/** Whether requests need no token. */
export function isOpenToAll(config: AuthenticationConfig): boolean {
  return config.authDisabled || configuredIssuers(config).length === 0
}
