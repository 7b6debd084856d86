import type { JsonObject } from '../../../../lib/json/json.ts'
import type { Resource } from '../../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { type IdempotencyKey, isForgotten } from '../../idempotency/idempotency-key.ts'
import {
  insertedRow,
  type InsertOutcome,
  insertOutcome,
  type InsertRow,
  insertValues,
  PARENT_LIVE,
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
const ANSWER = parameterAfterRow(8)

/**
 * The insertion, with references and the answer remembered under the caller's key; The
 * key is null if there is none. If a concurrent request used the key, the statement undoes itself
 * (SQLSTATE 40001). It also deletes a few expired keys.
 */
const INSERT_RESOURCE_WITH = {
  name: 'insert_resource_with',
  text: `${insertedRow({ referring: true })}, forgotten as (
      delete from idempotency_keys
      where (tenant, caller, route, key) in (
        select tenant, caller, route, key from idempotency_keys
        where ${isForgotten('created_time')}
          and (tenant, caller, route, key) <> (${TENANT}::text, ${CALLER}::text, ${ROUTE}::text, ${KEY}::text)
        order by created_time limit 10 for update skip locked)
    ), remembered as (
      insert into idempotency_keys as old (
        tenant, caller, route, key, body_hash, resource_id, answer, created_time)
      select ${TENANT}::text, ${CALLER}::text, ${ROUTE}::text, ${KEY}::text, ${BODY_HASH}::bytea, id, ${ANSWER}::json, now()
      from inserted
      where ${KEY}::text is not null
      on conflict (tenant, caller, route, key) do update set
        body_hash = excluded.body_hash,
        resource_id = excluded.resource_id,
        answer = excluded.answer,
        created_time = excluded.created_time
      where ${isForgotten('old.created_time')}
      returning key
    )
    select case
      when not exists (select 1 from inserted) then false
      when ${KEY}::text is null or exists (select 1 from remembered) then true
      else serialization_conflict()
    end as inserted, ${PARENT_LIVE}, ${FOUND_TARGETS}`,
}

/** A key and the answer to remember under it. */
export interface RememberedInsert extends IdempotencyKey {
  readonly answer: JsonObject
}

/** What goes in together with a resource, or not at all. */
export interface InsertTogether {
  readonly parentKind: string | null
  /** Everything that the resource's `refs` name. */
  readonly targets: readonly ReferenceTarget[]
  /** The answer to whoever comes again with the same key; null without one. */
  readonly once: RememberedInsert | null
}

export interface InsertResult {
  /** Also `name-taken` where a target is not there or not live. */
  readonly outcome: InsertOutcome
  readonly targets: readonly FoundTarget[]
}

/** Stores a new resource with what belongs to it; null where the statement met another one. */
export async function insertResourceWith(
  database: Database,
  resource: Resource,
  { parentKind, targets, once }: InsertTogether,
): Promise<InsertResult | null> {
  const values = [
    ...insertValues(resource, parentKind),
    ...targetValues(targets),
    once?.caller ?? null,
    once?.route ?? null,
    once?.key ?? null,
    once?.bodyHash ?? null,
    once && JSON.stringify(once.answer),
  ]
  return unlessCollision(async () => {
    const [row] = await database.execute<InsertRow & { targets: readonly FoundTarget[] | null }>(
      INSERT_RESOURCE_WITH,
      values,
    )
    return { outcome: insertOutcome(row), targets: row?.targets ?? [] }
  }, null)
}
