import type { Resource } from '../model/resource.ts'
import { FIELD_LIST } from '../model/resource-fields.ts'
import type { Database } from '../database/database.ts'
import {
  allTargetsLive,
  FOUND_TARGETS,
  type FoundTarget,
  lockedTargets,
  type ReferenceTarget,
  targetValues,
} from '../references/reference-targets.ts'
import { conditionMap } from './resource-row.ts'
import { unlessCollision } from '../database/unless-collision.ts'

const PATCHED = FIELD_LIST.filter(({ patchable }) => patchable === true)
const FIRST = 9
const SET = PATCHED.map(({ column, type }, index) => `${column} = $${FIRST + index}::${type}`)

/** A parameter by its place after those of the patched columns, from 0. */
const after = (place: number) => `$${FIRST + PATCHED.length + place}`
const TARGETS = { ids: after(0), kinds: after(1), tenant: after(2) }

/** Locks the targets before the resource, and updates it only if all targets are live. */
const UPDATE_REFERENCES = {
  name: 'update_references',
  text: `
    with ${lockedTargets(TARGETS)}, updated as (
      update resources set
        generation = $3::integer,
        version = $4::bigint,
        conditions = $5::json,
        cond = $6::jsonb,
        updated_time = $7::timestamptz,
        updated_by = $8::text,
        ${SET.join(', ')}
      where id = $1::text and version = $2::bigint and ${allTargetsLive(TARGETS)}
      returning id
    )
    select exists (select 1 from updated) as updated, ${FOUND_TARGETS}`,
}

export interface ReferencesUpdate {
  /** The resource after the update. */
  readonly next: Resource
  readonly readVersion: bigint
  /** The targets of its `refs`. */
  readonly targets: readonly ReferenceTarget[]
}

export interface ReferencesUpdateResult {
  /** False if the version has changed, or a target does not exist or is being deleted. */
  readonly updated: boolean
  readonly targets: readonly FoundTarget[]
}

/** Writes the fields that a PATCH may change, and references. Returns null after a collision. */
export async function updateReferences(
  database: Database,
  { next, readVersion, targets }: ReferencesUpdate,
): Promise<ReferencesUpdateResult | null> {
  const values = [
    next.id,
    readVersion,
    next.generation,
    next.version,
    JSON.stringify(next.conditions),
    JSON.stringify(conditionMap(next.conditions)),
    next.updatedTime,
    next.updatedBy,
    ...PATCHED.map(({ name, type }) =>
      type === 'jsonb' ? JSON.stringify(next[name]) : next[name],
    ),
    ...targetValues(targets),
    next.tenant,
  ]
  return unlessCollision(async () => {
    const [row] = await database.execute<{
      updated: boolean
      targets: readonly FoundTarget[] | null
    }>(UPDATE_REFERENCES, values)
    return { updated: row?.updated === true, targets: row?.targets ?? [] }
  }, null)
}
