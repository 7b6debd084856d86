import { compareText } from '../../lib/compare-text.ts'
import { conditionType } from './condition-type.ts'

/**
 * Which adapter surfaces under each condition type, out of those that have a stored Available.
 * Where two names map to one type, a required adapter surfaces, else the first by name.
 */
export function exposedAdapters<T extends { readonly adapter: string }>(
  required: readonly string[],
  candidates: readonly T[],
): ReadonlyMap<string, T> {
  const surfacing = new Map<string, T>()
  for (const candidate of candidates) {
    const type = conditionType(candidate.adapter)
    const holder = surfacing.get(type)
    if (holder === undefined || precedes(candidate.adapter, holder.adapter, required)) {
      surfacing.set(type, candidate)
    }
  }
  return surfacing
}

function precedes(adapter: string, holder: string, required: readonly string[]): boolean {
  const isRequired = required.includes(adapter)
  if (isRequired !== required.includes(holder)) return isRequired
  return compareText(adapter, holder) < 0
}
