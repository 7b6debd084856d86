import type { JsonObject } from '../../../lib/json/json.ts'
import type { Database } from '../database/database.ts'
import { type IdempotencyKey, isForgotten } from './idempotency-key.ts'

const FIND_ANSWER = {
  name: 'find_answer',
  text: `
    select body_hash, resource_id, answer from idempotency_keys
    where tenant = $1::text and caller = $2::text and route = $3::text and key = $4::text
      and not (${isForgotten('created_time')})`,
}

interface Row {
  readonly body_hash: Buffer
  readonly resource_id: string
  readonly answer: JsonObject
}

/** The answer that a key is remembered with, and the body it was for. */
export interface RememberedAnswer {
  readonly bodyHash: Buffer
  readonly resourceId: string
  readonly answer: JsonObject
}

/** Looks a key up. Null if it is unknown or forgotten. */
export async function findAnswer(
  database: Database,
  { tenant, caller, route, key }: IdempotencyKey,
): Promise<RememberedAnswer | null> {
  const [row] = await database.execute<Row>(FIND_ANSWER, [tenant, caller, route, key])
  return row ? { bodyHash: row.body_hash, resourceId: row.resource_id, answer: row.answer } : null
}
