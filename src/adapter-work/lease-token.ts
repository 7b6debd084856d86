import { isStorableText } from '../store/database/storable-text.ts'
import type { HeldLease } from './storage/renew-lease.ts'

/** The lease that a token names; null if no lease has such a token. */
export function leaseOf({
  adapter,
  token,
  tenant,
}: Pick<HeldLease, 'adapter' | 'token' | 'tenant'>): HeldLease | null {
  const end = token.lastIndexOf('.')
  if (end <= 0 || !isStorableText(token)) return null
  return { adapter, resourceId: token.slice(0, end), token, tenant }
}
