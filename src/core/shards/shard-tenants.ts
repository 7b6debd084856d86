import { repeat } from '../feed/repeat.ts'
import type { Database } from '../storage/database/database.ts'
import { admitTenant, readTenantStates, type TenantState } from '../storage/shards/tenant-states.ts'

/** Between two reads of the states. */
const POLL_MS = 500
/**
 * How long a read of the states stays valid. A move waits longer than this before the other shard
 * accepts writes, so that no server uses an outdated state.
 */
export const STATES_VALID_MS = 2000

interface Options {
  readonly database: Database
  /** Called with each tenant that departed. */
  readonly onDeparted: (tenant: string) => void
  readonly onError: (error: unknown) => void
}

/** The tenants of this shard, as its own database states them. */
export interface ShardTenants extends AsyncDisposable {
  /** The state of a tenant, null if the shard has never had it. Rejects if the database is down. */
  stateOf(tenant: string): Promise<TenantState | null>
  /** Admits a tenant that the directory has placed here, and returns its state. */
  admit(tenant: string): Promise<TenantState | null>
}

/** Keeps the states of all tenants of the shard in memory; reads only those that changed. */
export async function followShardTenants(options: Options): Promise<ShardTenants> {
  const { database, onDeparted, onError } = options
  let states = new Map<string, TenantState>()
  let revision = 0n
  let validUntil = 0
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    const start = performance.now()
    const changes = await readTenantStates(database, revision)
    if (changes.revision < revision) {
      // A failover has lost the newest states.
      revision = 0n
      states = new Map()
      return read()
    }
    for (const { tenant, state } of changes.states) {
      const before = states.get(tenant)
      states.set(tenant, state)
      if (state === 'departed' && before !== undefined && before !== state) onDeparted(tenant)
    }
    revision = changes.revision
    validUntil = start + STATES_VALID_MS
  }

  /** Waits for a read that begins after the call. */
  async function refresh(): Promise<void> {
    await reading?.catch(() => undefined)
    reading ??= read().finally(() => {
      reading = null
    })
    await reading
  }

  await refresh()
  const polling = repeat(POLL_MS, onError, refresh)
  const stateOf = async (tenant: string): Promise<TenantState | null> => {
    if (performance.now() >= validUntil) await refresh()
    return states.get(tenant) ?? null
  }
  return {
    stateOf,
    admit: async (tenant) => {
      await admitTenant(database, tenant)
      await refresh()
      return stateOf(tenant)
    },
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  }
}
