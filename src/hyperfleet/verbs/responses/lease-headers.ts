import type { Request } from 'express'
import { invalid } from '../../../lib/errors.ts'
import { isStorableText } from '../../../store/database/storable-text.ts'
import type { ReportLease } from '../../statuses/operations/decide-report.ts'

/** The header with the token of the lease that a report completes. */
const LEASE_TOKEN_HEADER = 'X-Lease-Token'
/** The header with the seconds after which the adapter asks to see the resource again. */
const LEASE_AGAIN_HEADER = 'X-Lease-Again'

const MAX_AGAIN_SECONDS = 604_800

/** The lease of a report; null without one. */
export function leaseHeadersOf(request: Request): ReportLease | null {
  const token = request.get(LEASE_TOKEN_HEADER)
  const again = request.get(LEASE_AGAIN_HEADER)
  if (token === undefined) {
    if (again === undefined) return null
    throw invalid([problem(LEASE_AGAIN_HEADER, `needs ${LEASE_TOKEN_HEADER}`)])
  }
  if (token === '' || !isStorableText(token)) {
    throw invalid([problem(LEASE_TOKEN_HEADER, 'must be the token of a lease')])
  }
  return { token, againSeconds: again === undefined ? null : secondsOf(again) }
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (seconds >= 1 && seconds <= MAX_AGAIN_SECONDS) return seconds
  throw invalid([problem(LEASE_AGAIN_HEADER, `must be an integer from 1 to ${MAX_AGAIN_SECONDS}`)])
}

function problem(header: string, rule: string) {
  const field = header.toLowerCase()
  return { field, message: `${field} ${rule}`, constraint: 'format' }
}
