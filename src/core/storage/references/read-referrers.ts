import type { Database } from '../database/database.ts'

const READ_REFERRERS = {
  name: 'read_referrers',
  text: `
    select id, kind, name, count(*) over () as total
    from resources
    where refs <> '{}' and refs @> any($1::jsonb[]) and id <> all($2::text[])
    order by id
    limit $3::bigint`,
}

/** Who refers to a resource. */
export interface Referrer {
  readonly id: string
  readonly kind: string
  readonly name: string
}

interface ReferrerQuery {
  /** `{type: [id]}` of each reference that is looked for. */
  readonly patterns: readonly string[]
  /** Ids of those who do not count. */
  readonly except: readonly string[]
  readonly limit: number
}

/** Who has one of these references, the oldest first, and how many there are in all. */
export async function readReferrers(
  database: Database,
  { patterns, except, limit }: ReferrerQuery,
): Promise<{ readonly total: number; readonly referrers: readonly Referrer[] }> {
  const rows = await database.execute<Referrer & { total: bigint }>(READ_REFERRERS, [
    patterns,
    except,
    limit,
  ])
  const referrers = rows.map(({ id, kind, name }) => ({ id, kind, name }))
  return { total: Number(rows[0]?.total ?? 0), referrers }
}
