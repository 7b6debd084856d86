import { repeat } from '../lib/async/repeat.ts'
import type { Database } from '../store/database/database.ts'
import { findMisplaced, type MisplacedTenant } from './storage/assignments.ts'
import { listServedTenants } from './storage/tenant-states.ts'

/** The databases that must agree about the tenants of a shard. */
export interface ShardDatabases {
  /** The database of the shard. */
  readonly database: Database
  readonly directory: Database
}

/**
 * The tenants that the database of a shard serves although the directory does not have them there, as
 * after a restore of one of the two. The states are read before and after the directory, so that a
 * tenant that moves during the comparison is not one of them.
 */
export async function findMisplacedTenants(
  { database, directory }: ShardDatabases,
  name: string,
): Promise<readonly MisplacedTenant[]> {
  const served = await listServedTenants(database)
  const found = served.length === 0 ? [] : await findMisplaced(directory, name, served)
  if (found.length === 0) return []
  const stillServed = new Set(await listServedTenants(database))
  return found.filter(({ tenant }) => stillServed.has(tenant))
}

/** Between the request of a comparison and the comparison, and between two attempts. */
const COMPARE_MS = 500

export interface MisplacedOptions extends ShardDatabases {
  /** The name of the shard. */
  readonly name: string
  /** Called with the tenants that a failover has returned to this shard. */
  readonly onMisplaced: (tenants: readonly MisplacedTenant[]) => void
  readonly onError: (error: unknown) => void
}

/** The tenants whose departure a failover has lost. This shard must not serve them. */
export interface MisplacedTenants extends AsyncDisposable {
  has(tenant: string): boolean
  /** Compares all tenants with the directory soon, until it succeeds. */
  compare(): void
  /** Call when the state of a tenant has changed. */
  delete(tenant: string): void
}

/** Finds misplaced tenants on request. None are known at first: a server claims its shard before. */
export function followMisplacedTenants(options: MisplacedOptions): MisplacedTenants {
  let misplaced = new Set<string>()
  let isCompared = true
  const comparing = repeat({ pauseMs: COMPARE_MS, onError: options.onError }, async () => {
    if (isCompared) return
    isCompared = true
    try {
      const found = await findMisplacedTenants(options, options.name)
      // The next start of a server assigns the tenants that the directory lacks.
      const elsewhere = found.filter(({ shard }) => shard !== null)
      misplaced = new Set(elsewhere.map(({ tenant }) => tenant))
      if (elsewhere.length > 0) options.onMisplaced(elsewhere)
    } catch (error) {
      isCompared = false
      throw error
    }
  })
  return {
    has: (tenant) => misplaced.has(tenant),
    compare: () => {
      isCompared = false
    },
    delete: (tenant) => misplaced.delete(tenant),
    [Symbol.asyncDispose]: () => comparing[Symbol.asyncDispose](),
  }
}
