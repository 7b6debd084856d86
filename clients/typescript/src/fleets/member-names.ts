import type { Fleet as FleetObject } from '../generated/kplane.ts'

const INDEX_DIGITS = 4

/** The names of all desired members, in order. */
export function memberNames({ metadata, spec }: FleetObject): readonly string[] {
  if (spec.names !== undefined && spec.names.length > 0) return spec.names
  const prefix = spec.namePrefix ?? `${metadata.name}-`
  const nameOf = (index: number) => prefix + index.toString().padStart(INDEX_DIGITS, '0')
  return Array.from({ length: spec.replicas }, (_, index) => nameOf(index))
}
