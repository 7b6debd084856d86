import type { Database } from '../../database/database.ts'

const INSERT_PLANES = {
  name: 'insert_planes',
  text: `
    insert into planes (plane, revision, compacted)
    select created.plane, greatest(created.start, object_head.floor) + created.count,
      greatest(created.start, object_head.floor)
    from unnest($1::text[], $2::bigint[], $3::integer[]) as created (plane, start, count),
      object_head
    order by created.plane
    returning plane, compacted as base`,
}

/** A plane and the number of objects that the same transaction inserts. */
export interface PlaneCount {
  readonly plane: string
  /** The revision of the plane if it has no row. */
  readonly start: bigint
  readonly count: number
}

/** The revision before the first object of each plane. */
export type PlaneBases = ReadonlyMap<string, bigint>

/** A plane and the revision before its first object. */
export interface BaseRow {
  readonly plane: string
  readonly base: bigint
}

/** Inserts the rows of new planes, with their revisions after `count` objects. */
export async function insertPlanes(
  transaction: Database,
  planes: readonly PlaneCount[],
): Promise<PlaneBases> {
  const rows = await transaction.execute<BaseRow>(INSERT_PLANES, planeColumns(planes))
  return new Map(rows.map(({ plane, base }) => [plane, base]))
}

/** The planes as arrays, one for each column. */
export function planeColumns(planes: readonly PlaneCount[]): readonly unknown[] {
  return [
    planes.map(({ plane }) => plane),
    planes.map(({ start }) => start),
    planes.map(({ count }) => count),
  ]
}
