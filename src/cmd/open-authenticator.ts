import type { Config } from './settings.ts'
import { configuredIssuers } from '../access/issuer-settings.ts'
import { type Authenticator, createAuthenticator } from '../http/auth/authenticator.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log/log.ts'

/** Opens the authenticator that the settings describe. */
export function openAuthenticator(
  config: Config,
  context: { readonly clock: Clock; readonly log: Log },
): Promise<Authenticator> {
  const { authDisabled: disabled } = config
  return createAuthenticator({ issuers: configuredIssuers(config), disabled }, context)
}

/** Whether requests need no token. */
export function isOpenToAll(config: Config): boolean {
  return config.authDisabled || configuredIssuers(config).length === 0
}
