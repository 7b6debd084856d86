import type { Table } from '../store/tables/table.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../lib/assert.ts'
import { formatTenant } from '../access/tenant.ts'
import type { Database } from '../store/database/database.ts'
import { reassignTenant, unassignTenant } from './storage/assignments.ts'
import { awaitRunningTransactions } from './storage/await-transactions.ts'
import { findShardsOfTenants } from './storage/directory.ts'
import { emptyTenants } from './storage/empty-tenants.ts'
import { MoveError, supersededAttempt } from './storage/move-error.ts'
import {
  type AttemptedState,
  beginAttemptInShard,
  deleteTenantState,
  isServed,
  readTenantState,
  setTenantState,
} from './storage/tenant-states.ts'
import { clearShard, type MovingShard, STATES_EXPIRY_MS } from './move-tenant.ts'

const TRANSACTIONS_TIMEOUT_MS = 10_000

/** All shards, and their directory. */
export interface ForgetContext {
  readonly directory: Database
  readonly tables: readonly Table[]
  readonly shards: readonly MovingShard[]
  /** Runs a step while no other process moves the tenant. */
  readonly locked: <T>(tenant: string, step: () => Promise<T>) => Promise<T>
  readonly onForgotten: (tenant: string) => void
}

/** A tenant that the directory no longer has, and its shards. */
interface Forgotten {
  readonly tenant: string
  readonly attempt: bigint
  readonly shards: readonly MovingShard[]
}

/**
 * Removes tenants without resources from the directory and from the databases of all shards. The next
 * request of such a tenant places it again. May be repeated. Throws a MoveError if a tenant has
 * resources or moves; those before it are forgotten.
 */
export async function forgetTenants(
  context: ForgetContext,
  tenants: readonly string[],
): Promise<void> {
  const forgotten: Forgotten[] = []
  try {
    for (const tenant of tenants)
      forgotten.push(await context.locked(tenant, () => unassign(context, tenant)))
  } finally {
    // After this pause, no server uses an earlier read of the states.
    if (forgotten.length > 0) await sleep(STATES_EXPIRY_MS)
    for (const one of forgotten) {
      for (const shard of one.shards) {
        await clearShard(shard, context.tables, one)
        await deleteTenantState(shard.database, one)
      }
      context.onForgotten(one.tenant)
    }
  }
}

async function unassign(context: ForgetContext, tenant: string): Promise<Forgotten> {
  const { directory, shards } = context
  const found = await statesOf(shards, tenant)
  const holder = await holderOf(context, tenant, found)
  const seen = found.reduce((max, { state: { attempt } }) => (attempt > max ? attempt : max), 0n)
  const attempt = await reassignTenant(directory, { tenant, shard: holder.name, seen })
  if (attempt === null) throw refused(tenant, 'has an unfinished move: resume or abort it first')
  const attempted = { tenant, attempt }
  const copies = [...new Set([holder, ...found.map(({ shard }) => shard)])]
  for (const { database } of copies) {
    if (!(await beginAttemptInShard(database, attempted, 'departed'))) throw supersededAttempt()
  }
  const { database } = holder
  const isHeld = isServed((await readTenantState(database, tenant))?.state ?? null)
  if (isHeld) await change(holder, attempted, 'frozen')
  const problem = await problemOf(context, holder, tenant)
  if (problem !== null) {
    if (isHeld) await change(holder, attempted, 'active')
    throw refused(tenant, problem)
  }
  // Before the directory changes: a tenant that it places again must not find this state.
  await change(holder, attempted, 'departed')
  if (!(await unassignTenant(directory, attempted))) throw supersededAttempt()
  return { ...attempted, shards: copies }
}

interface Found {
  readonly shard: MovingShard
  readonly state: AttemptedState
}

async function statesOf(shards: readonly MovingShard[], tenant: string): Promise<readonly Found[]> {
  const found = await Promise.all(
    shards.map(async (shard) => ({ shard, state: await readTenantState(shard.database, tenant) })),
  )
  return found.flatMap(({ shard, state }) => (state === null ? [] : [{ shard, state }]))
}

/** The shard that the directory names. After an interruption, a shard that still has a state. */
async function holderOf(
  { directory, shards }: ForgetContext,
  tenant: string,
  found: readonly Found[],
): Promise<MovingShard> {
  const assigned = (await findShardsOfTenants(directory, [tenant])).get(tenant)
  const elsewhere = found.find(
    ({ shard, state }) => state.state !== 'departed' && shard.name !== assigned,
  )
  if (elsewhere !== undefined) {
    throw refused(tenant, `is in ${elsewhere.shard.name} too: run flotilla shards keep first`)
  }
  const name = assigned ?? found[0]?.shard.name
  if (name === undefined) throw refused(tenant, 'is in no shard')
  return must(
    shards.find((shard) => shard.name === name),
    'the shard of the tenant',
  )
}

/** The reason why a frozen tenant cannot be forgotten; null if it can. */
async function problemOf(
  { tables }: ForgetContext,
  { name, database }: MovingShard,
  tenant: string,
): Promise<string | null> {
  const areEnded = await awaitRunningTransactions(database, {
    timeoutMs: TRANSACTIONS_TIMEOUT_MS,
    pause: sleep,
  })
  if (!areEnded) return `may have a transaction that runs in ${name}: try again`
  if ((await emptyTenants(database, tables, [tenant])).length > 0) return null
  return 'has resources, webhooks or records of forced deletions'
}

async function change(
  { database }: MovingShard,
  attempt: { readonly tenant: string; readonly attempt: bigint },
  to: 'active' | 'frozen' | 'departed',
): Promise<void> {
  const from = ['active', 'frozen', 'departed'] as const
  if (!(await setTenantState(database, attempt, { from, to }))) throw supersededAttempt()
}

function refused(tenant: string, reason: string): MoveError {
  return new MoveError(`${formatTenant(tenant)} ${reason}`)
}
