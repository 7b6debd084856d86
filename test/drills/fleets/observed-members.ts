import type pg from 'pg'

/** The clusters and members of a fleet in the database. */
export interface ObservedMembers {
  /** Names of the live clusters with the fleet's label. */
  readonly clusters: readonly string[]
  /** Names of the live clusters that the fleet manages. */
  readonly members: readonly string[]
  /** Names of the live clusters whose planes lack the object of the template. */
  readonly unseeded: readonly string[]
}

const OBSERVED = `
  select
    r.name,
    m.resource_id is not null as is_member,
    exists (
      select from objects o
      where o.plane = r.id and o.resource = 'configmaps' and o.name = 'seed'
    ) as is_seeded
  from resources r
  left join members m on m.resource_id = r.id
  where r.kind = 'Cluster' and r.deleted_time is null
    and r.labels @> jsonb_build_object('kplane.dev/fleet', $1::text)
  order by r.name`

interface Row {
  readonly name: string
  readonly is_member: boolean
  readonly is_seeded: boolean
}

/** Reads the state of one moment past the API. */
export async function observeMembers(pool: pg.Pool, fleet: string): Promise<ObservedMembers> {
  const { rows } = await pool.query<Row>(OBSERVED, [fleet])
  const namesOf = (kept: readonly Row[]): readonly string[] => kept.map(({ name }) => name)
  return {
    clusters: namesOf(rows),
    members: namesOf(rows.filter(({ is_member }) => is_member)),
    unseeded: namesOf(rows.filter(({ is_seeded }) => !is_seeded)),
  }
}
