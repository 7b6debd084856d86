import sql, { type Sql } from 'sql-template-tag'
import { isStorableText } from '../database/storable-text.ts'

/** Selects resources that have a reference of one of these types. */
export interface ReferenceFilter {
  /** At least one. */
  readonly types: readonly string[]
  /** Null for any target. */
  readonly targetId: string | null
}

/** The condition of a WHERE clause. With a target, the index `resources_refs` answers it. */
export function referenceCondition({ types, targetId }: ReferenceFilter): Sql {
  if (targetId === null) return sql`refs ?| ${types}::text[]`
  if (!isStorableText(targetId)) return sql`false`
  const patterns = types.map((type) => JSON.stringify({ [type]: [targetId] }))
  return patterns.length === 1
    ? sql`refs <> '{}' and refs @> ${patterns[0]}::jsonb`
    : sql`refs <> '{}' and refs @> any(${patterns}::jsonb[])`
}
