import { repeat } from '../lib/async/repeat.ts'
import { admitTenant, readTenantStates, type TenantState } from './storage/tenant-states.ts'
import { followMisplacedTenants, type MisplacedOptions } from './misplaced-tenants.ts'

/** Between two reads of the states. */
const POLL_MS = 500
/**
 * How long a read of the states stays valid. A move waits longer than this before the other shard
 * accepts writes, so that no server uses an outdated state.
 */
export const STATES_VALID_MS = 2000

interface Options extends MisplacedOptions {
  /** Called with each tenant that departed. */
  readonly onDeparted: (tenant: string) => void
}

/** The tenants of this shard, as its own database states them. */
export interface ShardTenants extends AsyncDisposable {
  /** The state of a tenant, null if the shard has never had it. Rejects if the database is down. */
  stateOf(tenant: string): Promise<TenantState | null>
  /** The state of a tenant, from a read that begins after the call. */
  newestStateOf(tenant: string): Promise<TenantState | null>
  /** Admits a tenant that the directory has placed here. */
  admit(tenant: string): Promise<void>
}

/**
 * Keeps the states of all tenants of the shard in memory; reads only those that changed. A failover
 * can lose the newest states, so all of them are read again, and compared with the directory.
 */
export async function followShardTenants(options: Options): Promise<ShardTenants> {
  const { database, onDeparted, onError } = options
  const misplaced = followMisplacedTenants(options)
  let states = new Map<string, TenantState>()
  let revision = 0n
  let validUntil = 0
  let failovers = 0

  function failedOver(): void {
    failovers += 1
    revision = 0n
    validUntil = 0
    misplaced.compare()
  }

  async function read(): Promise<void> {
    const start = performance.now()
    const before = failovers
    const changes = await readTenantStates(database, revision)
    // Behind a pooler, only the revision shows that a failover has lost states.
    if (changes.revision < revision) failedOver()
    if (failovers !== before) return read()
    const isWhole = revision === 0n
    const earlier = states
    if (isWhole) states = new Map()
    for (const { tenant, state } of changes.states) {
      const former = earlier.get(tenant)
      states.set(tenant, state)
      if (!isWhole) misplaced.delete(tenant)
      if (state === 'departed' && former !== undefined && former !== state) onDeparted(tenant)
    }
    revision = changes.revision
    validUntil = start + STATES_VALID_MS
  }

  const refresh = sharingNextRun(read)
  await refresh().catch(async (error: unknown) => {
    await misplaced[Symbol.asyncDispose]()
    throw error
  })
  database.onFailover(async () => failedOver())
  const polling = repeat({ pauseMs: POLL_MS, onError }, refresh)
  const known = (tenant: string): TenantState | null =>
    misplaced.has(tenant) ? 'departed' : (states.get(tenant) ?? null)
  return {
    stateOf: async (tenant) => {
      if (performance.now() >= validUntil) await refresh()
      return known(tenant)
    },
    newestStateOf: async (tenant) => {
      await refresh()
      return known(tenant)
    },
    admit: (tenant) => admitTenant(database, tenant),
    [Symbol.asyncDispose]: async () => {
      await polling[Symbol.asyncDispose]()
      await misplaced[Symbol.asyncDispose]()
    },
  }
}

/** Each call waits for a run of the work that begins after it; concurrent calls share the next run. */
function sharingNextRun(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return async () => {
    await running?.catch(() => undefined)
    running ??= work().finally(() => {
      running = null
    })
    await running
  }
}
