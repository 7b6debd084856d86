import type { JsonObject } from '../../../lib/json/json.ts'
import type { Resource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { type IdempotencyKey, isExpired } from '../../idempotency/idempotency-key.ts'
import {
  insertedRow,
  type InsertOutcome,
  insertOutcome,
  type InsertRow,
  insertValues,
  PARENT_STATE,
  parameterAfterRow,
  TENANT,
} from './insert-resource.ts'
import {
  FOUND_TARGETS,
  type FoundTarget,
  type ReferenceTarget,
  targetValues,
} from '../../references/reference-targets.ts'
import { unlessCollision } from '../../database/unless-collision.ts'

const CALLER = parameterAfterRow(4)
const ROUTE = parameterAfterRow(5)
const KEY = parameterAfterRow(6)
const BODY_HASH = parameterAfterRow(7)
const RESPONSE = parameterAfterRow(8)

/**
 * Inserts a resource with references, and stores the response under the caller's key, which may be
 * null. If a concurrent request has used the key, the statement rolls back (SQLSTATE 40001). Also
 * deletes a few expired keys.
 */
const INSERT_RESOURCE_WITH = {
  name: 'insert_resource_with',
  text: `${insertedRow({ referring: true })}, expired as (
      delete from idempotency_keys
      where (tenant, caller, route, key) in (
        select tenant, caller, route, key from idempotency_keys
        where ${isExpired('created_time')}
          and (tenant, caller, route, key) <> (${TENANT}::text, ${CALLER}::text, ${ROUTE}::text, ${KEY}::text)
        order by created_time limit 10 for update skip locked)
    ), stored as (
      insert into idempotency_keys as old (
        tenant, caller, route, key, body_hash, resource_id, answer, created_time)
      select ${TENANT}::text, ${CALLER}::text, ${ROUTE}::text, ${KEY}::text, ${BODY_HASH}::bytea, id, ${RESPONSE}::json, now()
      from inserted
      where ${KEY}::text is not null
      on conflict (tenant, caller, route, key) do update set
        body_hash = excluded.body_hash,
        resource_id = excluded.resource_id,
        answer = excluded.answer,
        created_time = excluded.created_time
      where ${isExpired('old.created_time')}
      returning key
    )
    select case
      when not exists (select 1 from inserted) then false
      when ${KEY}::text is null or exists (select 1 from stored) then true
      else serialization_conflict()
    end as inserted, ${PARENT_STATE}, ${FOUND_TARGETS}`,
}

/** A key and the response to store under it. */
export interface KeyedInsert extends IdempotencyKey {
  readonly response: JsonObject
}

/** Rows that are written together with a resource. */
export interface InsertExtras {
  readonly parentKind: string | null
  /** The targets of the resource's `refs`. */
  readonly targets: readonly ReferenceTarget[]
  /** The response for later requests with the same key; null without a key. */
  readonly idempotency: KeyedInsert | null
}

export interface InsertResult {
  /** Also `name-taken` if a target does not exist or is being deleted. */
  readonly outcome: InsertOutcome
  readonly targets: readonly FoundTarget[]
}

/** Stores a new resource. Returns null if the statement collided with a concurrent one. */
export async function insertResourceWith(
  database: Database,
  resource: Resource,
  { parentKind, targets, idempotency }: InsertExtras,
): Promise<InsertResult | null> {
  const values = [
    ...insertValues(resource, parentKind),
    ...targetValues(targets),
    idempotency?.caller ?? null,
    idempotency?.route ?? null,
    idempotency?.key ?? null,
    idempotency?.bodyHash ?? null,
    idempotency && JSON.stringify(idempotency.response),
  ]
  return unlessCollision(async () => {
    const [row] = await database.execute<InsertRow & { targets: readonly FoundTarget[] | null }>(
      INSERT_RESOURCE_WITH,
      values,
    )
    return { outcome: insertOutcome(row, resource), targets: row?.targets ?? [] }
  }, null)
}
