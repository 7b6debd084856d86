import type { Request, Response } from 'express'
import { must } from '../../lib/assert.ts'
import { leaseOf } from '../lease-token.ts'
import type { HeldLease } from '../storage/renew-lease.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { adapterOf } from './adapter-of.ts'

/** The lease in the path; null if the token cannot be one. */
export function heldLeaseOf(request: Request, response: Response): HeldLease | null {
  const token = String(must(request.params['token'], 'the token in the path'))
  return leaseOf({ adapter: adapterOf(request), token, tenant: tenantOf(response) })
}
