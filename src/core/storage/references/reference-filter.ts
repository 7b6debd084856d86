import sql, { type Sql } from 'sql-template-tag'
import { isStorableText } from '../database/storable-text.ts'

/** Resources that have a reference of one of these types, to this target if there is one. */
export interface ReferenceFilter {
  /** At least one. */
  readonly types: readonly string[]
  /** Null for a reference to anything. */
  readonly targetId: string | null
}

/** The condition of a WHERE clause; that on a target is answered by the index `resources_refs`. */
export function referenceCondition({ types, targetId }: ReferenceFilter): Sql {
  if (targetId === null) return sql`refs ?| ${types}::text[]`
  if (!isStorableText(targetId)) return sql`false`
  const patterns = types.map((type) => JSON.stringify({ [type]: [targetId] }))
  return patterns.length === 1
    ? sql`refs <> '{}' and refs @> ${patterns[0]}::jsonb`
    : sql`refs <> '{}' and refs @> any(${patterns}::jsonb[])`
}
