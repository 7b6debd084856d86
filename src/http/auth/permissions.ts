import type { Response } from 'express'
import { FlotillaError, type Reason } from '../../lib/errors.ts'
import { translateError } from '../errors/translate-error.ts'

/** Throws if the caller no longer has a permission. */
type PermissionCheck = () => void | Promise<void>

type Exchange = Pick<Response, 'locals'>

const CHECKS = 'permissions'

/** Other failures, such as those of a database, do not show that a permission is lost. */
const LOSSES: ReadonlySet<Reason> = new Set([
  'forbidden',
  'not-found',
  'unauthenticated',
  'invalid-token',
  'token-expired',
])

/**
 * Records a permission that a request has used. Only streams read it, which end if their caller loses
 * the permission: other requests are too short.
 */
export function recordPermission(response: Exchange, check: PermissionCheck): void {
  checksOf(response).push(check)
}

/**
 * Whether the caller still has every permission that its request has used. Expected failures show no
 * loss; rejects with unexpected ones.
 */
export async function hasUsedPermissions(response: Exchange): Promise<boolean> {
  try {
    for (const check of checksOf(response)) await check()
    return true
  } catch (error) {
    if (error instanceof FlotillaError && LOSSES.has(error.reason)) return false
    if (translateError(error).reason === 'internal') throw error
    return true
  }
}

function checksOf({ locals }: Exchange): PermissionCheck[] {
  const checks: PermissionCheck[] = (locals[CHECKS] ??= [])
  return checks
}
