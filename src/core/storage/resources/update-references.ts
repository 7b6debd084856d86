import type { Resource } from '../../model/resource.ts'
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

const TARGETS = { ids: '$13', kinds: '$14', tenant: '$15' }

/** The targets are locked before the resource itself: it is written only where all are live. */
const UPDATE_REFERENCES = {
  name: 'update_references',
  text: `
    with ${lockedTargets(TARGETS)}, updated as (
      update resources set
        generation = $3::integer,
        version = $4::bigint,
        spec = $5::jsonb,
        labels = $6::jsonb,
        annotations = $7::jsonb,
        refs = $8::jsonb,
        conditions = $9::json,
        cond = $10::jsonb,
        updated_time = $11::timestamptz,
        updated_by = $12::text
      where id = $1::text and version = $2::bigint and ${allTargetsLive(TARGETS)}
      returning id
    )
    select exists (select 1 from updated) as updated, ${FOUND_TARGETS}`,
}

export interface ReferencesUpdate {
  /** The resource as it is to be. */
  readonly next: Resource
  readonly readVersion: bigint
  /** Everything that its `refs` name. */
  readonly targets: readonly ReferenceTarget[]
}

export interface ReferencesUpdateResult {
  /** False where the version has moved, or a target is not there or not live. */
  readonly updated: boolean
  readonly targets: readonly FoundTarget[]
}

/** Writes what a PATCH may change, references too; null where the statement met another one. */
export async function updateReferences(
  database: Database,
  { next, readVersion, targets }: ReferencesUpdate,
): Promise<ReferencesUpdateResult | null> {
  const values = [
    next.id,
    readVersion,
    next.generation,
    next.version,
    JSON.stringify(next.spec),
    JSON.stringify(next.labels),
    JSON.stringify(next.annotations),
    JSON.stringify(next.refs),
    JSON.stringify(next.conditions),
    JSON.stringify(conditionMap(next.conditions)),
    next.updatedTime,
    next.updatedBy,
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
