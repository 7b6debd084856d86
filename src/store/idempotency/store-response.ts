import type { JsonObject } from '../../lib/json/json.ts'
import type { Database } from '../database/database.ts'
import { type IdempotencyKey, isExpired } from './idempotency-key.ts'

const STORE_RESPONSE = {
  name: 'store_response',
  text: `
    with expired as (
      delete from idempotency_keys
      where (tenant, caller, route, key) in (
        select tenant, caller, route, key from idempotency_keys
        where ${isExpired('created_time')}
          and (tenant, caller, route, key) <> ($1::text, $2::text, $3::text, $4::text)
        order by created_time limit 10 for update skip locked)
    ), stored as (
      insert into idempotency_keys as old (
        tenant, caller, route, key, body_hash, resource_id, answer, created_time)
      values ($1::text, $2::text, $3::text, $4::text, $5::bytea, '', $6::json, now())
      on conflict (tenant, caller, route, key) do update set
        body_hash = excluded.body_hash,
        resource_id = excluded.resource_id,
        answer = excluded.answer,
        created_time = excluded.created_time
      where ${isExpired('old.created_time')}
      returning key
    )
    select case when exists (select 1 from stored) then true else serialization_conflict() end
      as stored`,
}

/**
 * Records the response to a request that creates any number of resources, in the transaction that
 * creates them. If a concurrent request has used the key, the statement fails (SQLSTATE 40001) and
 * the transaction rolls back. Also deletes a few expired keys.
 */
export async function storeResponse(
  database: Database,
  { tenant, caller, route, key, bodyHash }: IdempotencyKey,
  response: JsonObject,
): Promise<void> {
  const values = [tenant, caller, route, key, bodyHash, JSON.stringify(response)]
  await database.execute(STORE_RESPONSE, values)
}
