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

/** A resource that refers to another one. */
export interface Referrer {
  readonly id: string
  readonly kind: string
  readonly name: string
}

interface ReferrerQuery {
  /** The references to look for, each as `{type: [id]}`. */
  readonly patterns: readonly string[]
  /** Ids of referrers to ignore. */
  readonly except: readonly string[]
  readonly limit: number
}

/** Returns the oldest resources with one of these references, and their total number. */
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
