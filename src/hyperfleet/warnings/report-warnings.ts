import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import type { Resource } from '../../store/model/resource.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { requirementsOfResource } from '../statuses/conditions/required-adapters.ts'

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
  conditions,
  observed_generation: generation,
}: JsonObject): readonly string[] {
  const warnings: string[] = []
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

/** A warning if the reported resource does not require the adapter, else null. */
export function adapterWarning(
  kind: RegisteredKind,
  resource: Pick<Resource, 'requiredAdapters' | 'deletedTime'>,
  adapter: string,
): string | null {
  const { adapters } = requirementsOfResource(kind, resource, [{ adapter }])
  if (adapters.includes(adapter)) return null
  const names = adapters.length > 0 ? adapters.join(', ') : 'none'
  const subject = resource.requiredAdapters === null ? kind.kind : `this ${kind.kind}`
  return `adapter '${adapter}' is not required for ${subject}: its report does not count for Ready and Available (required: ${names})`
}
