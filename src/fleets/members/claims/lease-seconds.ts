import { objectInvalid } from '../../../planes/errors/failures.ts'

/** About 31 years. */
const MAX_LEASE_SECONDS = 1_000_000_000

/** The duration of a lease; null if none is given. 422 unless it is a positive integer. */
export function leaseSecondsOf(kind: string, given: number | undefined): number | null {
  if (given === undefined) return null
  if (Number.isInteger(given) && given >= 1 && given <= MAX_LEASE_SECONDS) return given
  throw objectInvalid({ group: 'kplane.dev', kind }, '', [
    {
      field: 'ttlSeconds',
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${given}: must be an integer from 1 to ${MAX_LEASE_SECONDS}`,
    },
  ])
}
