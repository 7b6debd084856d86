import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

/** A condition without its time. */
export interface DecidedCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

interface Occasion {
  readonly now: Date
  /** The generation of the object that the conditions describe. */
  readonly generation: number
}

/**
 * The conditions of a status after a decision. A condition keeps its transition time until its
 * status changes. Conditions of other types remain unchanged.
 */
export function timedConditions(
  current: JsonValue | undefined,
  decided: readonly DecidedCondition[],
  { now, generation }: Occasion,
): readonly JsonObject[] {
  const before = Array.isArray(current) ? current.filter(isJsonObject) : []
  const types = new Set<JsonValue | undefined>(decided.map(({ type }) => type))
  const others = before.filter(({ type }) => !types.has(type))
  const timed = decided.map(({ type, status, reason, message }) => {
    const old = before.find((condition) => condition['type'] === type)
    const isSame = old?.['status'] === status
    const lastTransitionTime =
      (isSame && old['lastTransitionTime']) || `${now.toISOString().slice(0, 19)}Z`
    return { type, status, reason, message, observedGeneration: generation, lastTransitionTime }
  })
  return [...others, ...timed]
}
