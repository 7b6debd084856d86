import type { Database } from '../../store/database/database.ts'
import { stored } from '../../store/database/prisma-values.ts'

/**
 * The state of a tenant in a shard. `active`: reads and writes; `frozen`: reads only, while the tenant
 * moves; `arriving`: its rows may be incomplete; `arrived`: its rows are complete, and the directory
 * has it in another shard; `departed`: served by another shard.
 */
export type TenantState = 'active' | 'frozen' | 'arriving' | 'arrived' | 'departed'

/** Whether a shard serves reads of a tenant in this state. */
export function isServed(state: TenantState | null): boolean {
  return state === 'active' || state === 'frozen'
}

interface StateRow {
  readonly tenant: string
  readonly state: TenantState
}

/** The changes of states after a revision. */
export interface StateChanges {
  /** The newest revision. */
  readonly revision: bigint
  readonly states: readonly StateRow[]
}

const READ_STATES = {
  name: 'read_tenant_states',
  text: `
    select shard.revision, tenant_states.tenant, tenant_states.state
    from shard left join tenant_states on tenant_states.revision > $1::bigint
    order by tenant_states.revision`,
}

/** Reads the states that changed after a revision, in one snapshot with the newest revision. */
export async function readTenantStates(database: Database, after: bigint): Promise<StateChanges> {
  const rows = await database.execute<{
    revision: bigint
    tenant: string | null
    state: TenantState | null
  }>(READ_STATES, [after])
  return {
    revision: rows[0]?.revision ?? 0n,
    states: rows.flatMap(({ tenant, state }) =>
      tenant === null || state === null ? [] : [{ tenant, state }],
    ),
  }
}

/** The tenants that this shard serves. */
export async function listServedTenants(database: Database): Promise<readonly string[]> {
  const found = await database.withPrisma('list_served_tenants', (prisma) =>
    prisma.tenantState.findMany({
      where: { state: { in: ['active', 'frozen'] } },
      select: { tenant: true },
    }),
  )
  return found.map(({ tenant }) => tenant)
}

const ADMIT_TENANT = {
  name: 'admit_tenant',
  text: `
    with raised as (
      update shard set revision = revision + 1
      where not exists (select 1 from tenant_states where tenant = $1::text)
      returning revision
    )
    insert into tenant_states (tenant, state, revision)
    select $1::text, 'active', revision from raised
    on conflict (tenant) do nothing`,
}

/** Makes a tenant active that this shard has never had. Changes no other state. */
export async function admitTenant(database: Database, tenant: string): Promise<void> {
  await database.execute(ADMIT_TENANT, [tenant])
}

/** The state of a tenant that may be moving. */
export interface AttemptedState {
  readonly state: TenantState
  /** The newest attempt to move the tenant; 0 if there was none. */
  readonly attempt: bigint
}

/** The state of one tenant; null if the shard has never had it. */
export async function readTenantState(
  database: Database,
  tenant: string,
): Promise<AttemptedState | null> {
  const found = await database.withPrisma('read_tenant_state', (prisma) =>
    prisma.tenantState.findUnique({
      where: { tenant },
      select: { state: true, attempt: true },
    }),
  )
  return found && { ...found, state: stored(found.state) }
}

/** One process's attempt to move a tenant. Attempts of a tenant have increasing numbers. */
export interface Attempt {
  readonly tenant: string
  readonly attempt: bigint
}

const BEGIN_ATTEMPT = {
  name: 'begin_attempt_in_shard',
  text: `
    with raised as (
      update shard set revision = revision + 1 returning revision
    )
    insert into tenant_states as old (tenant, state, revision, attempt)
    select $1::text, $2::text, revision, $3::bigint from raised
    on conflict (tenant) do update set attempt = excluded.attempt
    where old.attempt < excluded.attempt
    returning tenant`,
}

/**
 * Rejects all older attempts to move a tenant from now on. A tenant that the shard has never had gets
 * the initial state. Returns false if a newer attempt has begun.
 */
export async function beginAttemptInShard(
  database: Database,
  { tenant, attempt }: Attempt,
  initial: TenantState,
): Promise<boolean> {
  const rows = await database.execute(BEGIN_ATTEMPT, [tenant, initial, attempt])
  return rows.length > 0
}

const SET_STATE = {
  name: 'set_tenant_state',
  text: `
    with raised as (
      update shard set revision = revision + 1 returning revision
    ), changed as (
      update tenant_states set state = $3::text, revision = raised.revision, changed_time = now()
      from raised
      where tenant = $1::text and attempt = $2::bigint and state = any($4::text[])
      returning tenant
    )
    select exists (select 1 from changed) or exists (
      select 1 from tenant_states
      where tenant = $1::text and attempt = $2::bigint and state = $3::text
    ) as done`,
}

/**
 * Changes the state of a tenant. It must have one of the states `from`, or the new state already.
 * Returns false if it has another one, or if a newer attempt to move the tenant has begun.
 */
export async function setTenantState(
  database: Database,
  { tenant, attempt }: Attempt,
  { from, to }: { from: readonly TenantState[]; to: TenantState },
): Promise<boolean> {
  const [row] = await database.execute<{ done: boolean }>(SET_STATE, [tenant, attempt, to, from])
  return row?.done === true
}

/**
 * Deletes the state of a tenant that has departed, unless a newer attempt to move it has begun. The
 * shard then never had the tenant.
 */
export async function deleteTenantState(
  database: Database,
  { tenant, attempt }: Attempt,
): Promise<void> {
  await database.withPrisma('delete_tenant_state', (prisma) =>
    prisma.tenantState.deleteMany({ where: { tenant, attempt, state: 'departed' } }),
  )
}

const LIST_FROZEN = {
  name: 'list_frozen_tenants',
  text: `
    select tenant, extract(epoch from now() - changed_time)::integer as seconds
    from tenant_states where state = 'frozen' order by changed_time, tenant`,
}

/** A tenant whose writes are rejected. */
export interface FrozenTenant {
  readonly tenant: string
  /** The time since the tenant was frozen. */
  readonly seconds: number
}

/** The frozen tenants of a shard, first the one that has been frozen for the longest time. */
export function listFrozenTenants(database: Database): Promise<readonly FrozenTenant[]> {
  return database.execute<FrozenTenant>(LIST_FROZEN, [])
}
