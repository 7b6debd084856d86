import type { JsonObject } from '../../lib/json/json.ts'
import type { Database } from '../database/database.ts'
import { type IdempotencyKey, isExpired } from './idempotency-key.ts'

const FIND_RESPONSE = {
  name: 'find_response',
  text: `
    select body_hash, resource_id, answer from idempotency_keys
    where tenant = $1::text and caller = $2::text and route = $3::text and key = $4::text
      and not (${isExpired('created_time')})`,
}

interface Row {
  readonly body_hash: Buffer
  readonly resource_id: string
  readonly answer: JsonObject
}

/** The stored response to the first create with a key. */
export interface StoredResponse {
  /** SHA-256 of the body of that request. */
  readonly bodyHash: Buffer
  readonly resourceId: string
  readonly response: JsonObject
}

/** Returns the stored response of a key, or null if the key is unused or expired. */
export async function findResponse(
  database: Database,
  { tenant, caller, route, key }: IdempotencyKey,
): Promise<StoredResponse | null> {
  const [row] = await database.execute<Row>(FIND_RESPONSE, [tenant, caller, route, key])
  return row ? { bodyHash: row.body_hash, resourceId: row.resource_id, response: row.answer } : null
}
