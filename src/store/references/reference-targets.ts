/** The target of a reference that is about to be written. */
export interface ReferenceTarget {
  readonly kind: string
  readonly id: string
}

/** An existing target, as a write has found it. */
export interface FoundTarget extends ReferenceTarget {
  /** False if it is being deleted. */
  readonly live: boolean
}

/** SQL parameters with the targets, such as `$19`: two arrays of the same length. */
interface TargetParameters {
  readonly ids: string
  readonly kinds: string
  /** The tenant of the referring resource. */
  readonly tenant: string
}

/**
 * The common table expression `targets`: the existing targets in the tenant, locked. The statement
 * waits for a deletion that locked a target earlier, and sees its result. A later deletion waits
 * for the statement, and finds the new reference.
 */
export function lockedTargets({ ids, tenant }: Pick<TargetParameters, 'ids' | 'tenant'>): string {
  return `targets as materialized (
      select id, kind, deleted_time is null as live from resources
      where id = any((select ${ids}::text[])::text[]) and tenant = ${tenant}::text
      order by id
      for share
    )`
}

/** SQL condition: whether every target exists with its kind and is not being deleted. */
export function allTargetsLive({ ids, kinds }: Pick<TargetParameters, 'ids' | 'kinds'>): string {
  return `(
        select count(*)
        from unnest((select ${ids}::text[]), (select ${kinds}::text[])) as wanted (id, kind)
        join targets using (id, kind) where live
      ) = cardinality(${ids}::text[])`
}

/** A select column with the existing targets: a JSON array of FoundTarget, or null. */
export const FOUND_TARGETS = '(select json_agg(targets) from targets) as targets'

/** The values of the parameters `ids` and `kinds`. */
export function targetValues(
  targets: readonly ReferenceTarget[],
): readonly [readonly string[], readonly string[]] {
  return [targets.map(({ id }) => id), targets.map(({ kind }) => kind)]
}
