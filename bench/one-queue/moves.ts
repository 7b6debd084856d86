import {
  beginAttempt,
  beginMove,
  type MoveStep,
  recordStep,
} from '../../src/shards/storage/moves.ts'
import type { Database } from '../../src/store/database/database.ts'
import { remove, save, take } from './generic-queue.ts'
import { named, type Pair } from './load.ts'

const TENANTS = 20
const STEPS: readonly MoveStep[] = [
  'frozen',
  'copied',
  'assigned',
  'departed',
  'activated',
  'recorded',
]

/** The directory of two shards. */
export const FILL_DIRECTORY = `
  insert into shards (name, database, servers) values ('a', 'a', '{}'), ('b', 'b', '{}');
  insert into tenant_shards (tenant, shard)
  select 'moved-' || n, 'a' from generate_series(1, ${TENANTS}) as n;`

async function oldMove(database: Database, tenant: string): Promise<void> {
  const begun = await beginMove(database, tenant, 'b')
  if (begun === null) throw new Error('not moved')
  const move = await beginAttempt(database, tenant, begun.attempt)
  if (move === null) throw new Error('ended')
  let { step } = move
  for (const next of STEPS) {
    if (!(await recordStep(database, { ...move, step }, next))) throw new Error('lost')
    step = next
  }
  await recordStep(database, { ...move, step }, null)
}

const BEGIN = named(
  'generic_begin_move',
  `insert into queue (kind, key, tenant, due_time, pending, data)
  select 'move', tenant, tenant, now(), 1,
    jsonb_build_object('source', shard, 'target', $2::text, 'step', 'started', 'started', now())
  from tenant_shards
  where tenant = $1::text and shard <> $2::text
    and exists (select 1 from shards where name = $2::text)
  on conflict (kind, key) do nothing returning data`,
)

/** The number of an attempt must exceed those of earlier moves, so it needs the row of the tenant. */
const TAKE = named(
  'generic_take_move',
  `with ${take('move', '$1::text')}, numbered as (
    update tenant_shards set attempt = greatest(tenant_shards.attempt, $2::bigint) + 1
    from claimed where tenant_shards.tenant = claimed.key
    returning tenant_shards.attempt
  )
  select data, lease, numbered.attempt from claimed, numbered`,
)

const STEP = named(
  'generic_step_of_move',
  `with ${save('move', `data || jsonb_build_object('step', $3::text)`)}
  select key from saved`,
)

const ASSIGN = named(
  'generic_assign_tenant',
  `with ${save('move', `data || jsonb_build_object('step', 'assigned')`)}
  update tenant_shards set shard = saved.data->>'target'
  from saved where tenant_shards.tenant = saved.key returning tenant`,
)

const END = named(
  'generic_end_move',
  `with ${remove('move', '$1::text', '$2::bigint')} select key from removed`,
)

async function newMove(database: Database, tenant: string): Promise<void> {
  await database.execute(BEGIN, [tenant, 'b'])
  const [taken] = await database.execute<{ lease: bigint }>(TAKE, [tenant, 0n])
  if (taken === undefined) throw new Error('ended')
  for (const step of STEPS) {
    const rows =
      step === 'assigned'
        ? await database.execute(ASSIGN, [tenant, taken.lease])
        : await database.execute(STEP, [tenant, taken.lease, step])
    if (rows.length === 0) throw new Error('lost')
  }
  await database.execute(END, [tenant, taken.lease])
}

async function moveBack({ pool }: Database): Promise<void> {
  await pool.query(`update tenant_shards set shard = 'a'`)
}

function eachTenant(move: (database: Database, tenant: string) => Promise<void>) {
  return {
    prepare: moveBack,
    run: async (database: Database) => {
      for (let index = 1; index <= TENANTS; index += 1) await move(database, `moved-${index}`)
    },
    operations: TENANTS,
  }
}

/** Records of moves from one shard to another, without the copies. */
export const moves: Pair = { old: eachTenant(oldMove), new: eachTenant(newMove) }
