/** A resource that another one is to refer to. */
export interface ReferenceTarget {
  readonly kind: string
  readonly id: string
}

/** What a write found of a target; of one that is not there, nothing. */
export interface FoundTarget extends ReferenceTarget {
  /** Whether nobody has deleted it. */
  readonly live: boolean
}

/** The names of the parameters with the targets: two arrays of the same length. */
interface TargetParameters {
  readonly ids: string
  readonly kinds: string
  /** The tenant of the resource that refers to them. */
  readonly tenant: string
}

/**
 * The common table expression `targets`: those that exist in the tenant, locked. A deletion that holds a
 * lock first is waited for, and seen; one that comes later waits, and finds the new reference.
 */
export function lockedTargets({ ids, tenant }: Pick<TargetParameters, 'ids' | 'tenant'>): string {
  return `targets as materialized (
      select id, kind, deleted_time is null as live from resources
      where id = any((select ${ids}::text[])::text[]) and tenant = ${tenant}::text
      order by id
      for share
    )`
}

/** Whether every one of them is there, of its kind, and live. */
export function allTargetsLive({ ids, kinds }: Pick<TargetParameters, 'ids' | 'kinds'>): string {
  return `(
        select count(*)
        from unnest((select ${ids}::text[]), (select ${kinds}::text[])) as wanted (id, kind)
        join targets using (id, kind) where live
      ) = cardinality(${ids}::text[])`
}

/** A column with what was found: a list of FoundTarget, null for none. */
export const FOUND_TARGETS = '(select json_agg(targets) from targets) as targets'

/** The values of the two parameters. */
export function targetValues(
  targets: readonly ReferenceTarget[],
): readonly [readonly string[], readonly string[]] {
  return [targets.map(({ id }) => id), targets.map(({ kind }) => kind)]
}
