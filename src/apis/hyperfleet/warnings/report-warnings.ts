import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'

/** Condition types that affect decisions. */
const MEANINGFUL = ['Available', 'Applied', 'Health', 'Finalized']
const EXACT: ReadonlySet<unknown> = new Set(MEANINGFUL)
const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map(
  MEANINGFUL.map((type) => [type.toLowerCase(), type]),
)

const NO_GENERATION =
  'observed_generation is missing: the report counts for generation 0, and never makes a newer spec Ready'

/** Warnings about the parts of a report that have less effect than the sender may expect. */
export function reportWarnings({
  kind,
  requiredAdapters,
}: RegisteredKind): (report: JsonObject) => readonly string[] {
  const required: ReadonlySet<string> = new Set(requiredAdapters)
  const names = requiredAdapters.length > 0 ? requiredAdapters.join(', ') : 'none'
  return ({ adapter, conditions, observed_generation: generation }) => {
    const warnings: string[] = []
    if (typeof adapter === 'string' && !required.has(adapter)) {
      warnings.push(
        `adapter '${adapter}' is not required for ${kind}: its report does not count for Ready and Available (required: ${names})`,
      )
    }
    if (generation === undefined || generation === null) warnings.push(NO_GENERATION)
    if (!Array.isArray(conditions)) return warnings
    for (const condition of conditions) {
      const type = isJsonObject(condition) ? condition['type'] : null
      if (typeof type !== 'string' || EXACT.has(type)) continue
      const meant = BY_LOWER_CASE.get(type.toLowerCase())
      if (meant === undefined) continue
      warnings.push(`condition type '${type}' is not '${meant}': types are case-sensitive`)
    }
    return warnings
  }
}
