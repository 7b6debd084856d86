import { FlotillaError } from '../../../lib/errors.ts'
import type { Database } from '../../database/database.ts'
import { findResponse, type StoredResponse } from '../../idempotency/find-response.ts'
import type { IdempotencyKey } from '../../idempotency/idempotency-key.ts'

/**
 * The response recorded for the key, or null. Fails with `unprocessable` if the key was used with
 * another body.
 */
export async function replayResponse(
  database: Database,
  key: IdempotencyKey,
): Promise<StoredResponse | null> {
  const stored = await findResponse(database, key)
  if (stored === null) return null
  if (stored.bodyHash.equals(key.bodyHash)) return stored
  throw new FlotillaError(
    'unprocessable',
    `The Idempotency-Key '${key.key}' was used with another body: choose a new key`,
  )
}
