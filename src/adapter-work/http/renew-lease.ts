import type { RequestHandler } from 'express'
import type { AdapterWork } from '../adapter-work.ts'
import { leaseEnded } from '../../hyperfleet/statuses/operations/lease-ended.ts'
import { heldLeaseOf } from './held-lease.ts'
import { DEFAULT_LEASE_SECONDS } from './lease-work.ts'

/** POST of `/adapters/{adapter}/leases/{token}/renew`. */
export function renewLease(work: AdapterWork): RequestHandler {
  return async (request, response) => {
    const { leaseSeconds = DEFAULT_LEASE_SECONDS }: { leaseSeconds?: number } = request.body
    const lease = heldLeaseOf(request, response)
    const expires = lease && (await work.renew(lease, leaseSeconds))
    if (expires === null) throw leaseEnded()
    response.json({ token: request.params['token'], expires_time: expires.toISOString() })
  }
}
