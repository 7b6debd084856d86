import { compareText } from '../../../lib/text/compare-text.ts'
import { conditionType } from './condition-type.ts'

/**
 * The adapter behind each condition type, among those with a stored Available. If two names map to
 * one type, a required adapter wins, then the first name.
 */
export function exposedAdapters<T extends { readonly adapter: string }>(
  required: readonly string[],
  candidates: readonly T[],
): ReadonlyMap<string, T> {
  const exposed = new Map<string, T>()
  for (const candidate of candidates) {
    const type = conditionType(candidate.adapter)
    const current = exposed.get(type)
    if (current === undefined || precedes(candidate.adapter, current.adapter, required)) {
      exposed.set(type, candidate)
    }
  }
  return exposed
}

function precedes(adapter: string, other: string, required: readonly string[]): boolean {
  const isRequired = required.includes(adapter)
  if (isRequired !== required.includes(other)) return isRequired
  return compareText(adapter, other) < 0
}
