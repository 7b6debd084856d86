import type { RequestHandler } from 'express'
import type { AdapterWork } from '../adapter-work.ts'
import { heldLeaseOf } from './held-lease.ts'

/** DELETE of `/adapters/{adapter}/leases/{token}`. Repeating it is harmless. */
export function returnLease(work: AdapterWork): RequestHandler {
  return async (request, response) => {
    const { delaySeconds } = request.query
    const lease = heldLeaseOf(request, response)
    if (lease) await work.giveBack(lease, delaySeconds === undefined ? null : Number(delaySeconds))
    response.status(204).end()
  }
}
