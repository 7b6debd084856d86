import type { Response } from 'express'
import { FlotillaError, type Reason } from '../../lib/errors.ts'

/** Throws if the caller no longer has a permission. */
type PermissionCheck = () => void | Promise<void>

const CHECKS = 'permissions'

/** Other failures, such as those of a database, do not show that a permission is lost. */
const LOSSES: ReadonlySet<Reason> = new Set([
  'forbidden',
  'not-found',
  'unauthenticated',
  'invalid-token',
  'token-expired',
])

/** Records a permission that a request has used. Its stream ends if the caller loses it. */
export function recordPermission(response: Response, check: PermissionCheck): void {
  response.locals[CHECKS] = [...checksOf(response), check]
}

/** Whether the caller still has every permission that its request has used. Never rejects. */
export async function hasUsedPermissions(response: Response): Promise<boolean> {
  try {
    for (const check of checksOf(response)) await check()
    return true
  } catch (error) {
    return !(error instanceof FlotillaError && LOSSES.has(error.reason))
  }
}

function checksOf(response: Response): readonly PermissionCheck[] {
  const checks: readonly PermissionCheck[] | undefined = response.locals[CHECKS]
  return checks ?? []
}
