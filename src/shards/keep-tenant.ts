import type { Table } from '../store/tables/table.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../store/database/database.ts'
import { reassignTenant } from './storage/assignments.ts'
import { MoveError, supersededAttempt } from './storage/move-error.ts'
import {
  type Attempt,
  type AttemptedState,
  beginAttemptInShard,
  isServed,
  readTenantState,
  setTenantState,
  type TenantState,
} from './storage/tenant-states.ts'
import { clearShard, type MovingShard, STATES_EXPIRY_MS } from './move-tenant.ts'

const EVERY_STATE: readonly TenantState[] = ['active', 'frozen', 'arriving', 'arrived', 'departed']

/** All shards, one of which keeps the data of a tenant. */
export interface KeepContext {
  readonly directory: Database
  readonly tables: readonly Table[]
  readonly kept: MovingShard
  readonly others: readonly MovingShard[]
  readonly onNotice: (text: string) => void
}

interface Found {
  readonly shard: MovingShard
  readonly found: AttemptedState | null
}

/**
 * Ends a contradiction about the shard of a tenant, which a restore of a database can cause: assigns
 * the tenant to one shard, stops the others from serving it, and deletes its rows there. A tenant that
 * no shard serves becomes active in the one that is kept, with the rows that it has. May be repeated.
 * Throws a MoveError if the tenant moves, or if only other shards serve it.
 */
export async function keepTenant(context: KeepContext, tenant: string): Promise<void> {
  const { directory, kept, onNotice } = context
  const here = await readState(kept, tenant)
  const others = await Promise.all(context.others.map((shard) => readState(shard, tenant)))
  const served = others.filter(({ found }) => isServed(found?.state ?? null))
  if (served.length > 0 && !isServed(here.found?.state ?? null)) {
    const names = served.map(({ shard }) => shard.name).join(', ')
    throw new MoveError(`${kept.name} does not serve the tenant, and ${names} does: keep it there`)
  }
  const attempt = await reassignTenant(directory, {
    tenant,
    shard: kept.name,
    seen: newestAttempt([here, ...others]),
  })
  if (attempt === null) {
    throw new MoveError('the tenant has an unfinished move: resume or abort it first')
  }
  const copies = others.flatMap(({ shard, found }) => (found === null ? [] : [shard]))
  for (const shard of copies) await setState(shard, { tenant, attempt }, 'departed')
  // After this pause, no server uses an earlier read of the states.
  if (served.length > 0) await sleep(STATES_EXPIRY_MS)
  await setState(kept, { tenant, attempt }, 'active')
  onNotice(`${kept.name} keeps the tenant`)
  for (const shard of copies) {
    await clearShard(shard, context.tables, { tenant, attempt })
    onNotice(`${shard.name} has no data of it`)
  }
}

async function readState(shard: MovingShard, tenant: string): Promise<Found> {
  return { shard, found: await readTenantState(shard.database, tenant) }
}

function newestAttempt(states: readonly Found[]): bigint {
  const attempts = states.map(({ found }) => found?.attempt ?? 0n)
  return attempts.reduce((max, attempt) => (attempt > max ? attempt : max), 0n)
}

async function setState(
  { database }: MovingShard,
  attempt: Attempt,
  state: TenantState,
): Promise<void> {
  const isNewest = await beginAttemptInShard(database, attempt, state)
  if (isNewest && (await setTenantState(database, attempt, { from: EVERY_STATE, to: state })))
    return
  throw supersededAttempt()
}
