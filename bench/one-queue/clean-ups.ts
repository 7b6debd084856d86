import { purgePlanes } from '../../src/store/objects/storage/remove-planes.ts'
import { dropFinished } from '../../src/webhooks/storage/drop-finished.ts'
import type { Database } from '../../src/store/database/database.ts'
import { claim, enqueue, finish } from './generic-queue.ts'
import { named, type Pair } from './load.ts'

const PLANES = 500
const PASSES = 100
const FINISHED = { state: 'delivered', age: 86_400, limit: 2000 } as const

const ENQUEUE = named(
  'generic_queue_planes',
  `with item as (
    select '' as tenant, plane as key, 1 as count from unnest($1::text[]) as plane
  ), ${enqueue('purge')}
  select count(*) from enqueued`,
)

const PURGE = named(
  'generic_purge',
  `with ${claim('purge', '$1::integer')}, purged as (
    delete from planes using claimed
    where planes.plane = claimed.key and removed_time < now()
      and not exists (select 1 from objects where objects.plane = planes.plane)
    returning planes.plane
  )
  select key, lease from claimed`,
)

const REMOVE = named(
  'generic_end_purge',
  `delete from queue using unnest($1::text[], $2::bigint[]) as result (key, lease)
  where kind = 'purge' and queue.key = result.key and queue.lease = result.lease`,
)

interface Claimed {
  readonly key: string
  readonly lease: bigint
}

async function newPurge(database: Database): Promise<void> {
  const planes = Array.from({ length: PLANES }, (_, index) => `plane-${index}`)
  await database.execute(ENQUEUE, [planes])
  const claimed = await database.execute<Claimed>(PURGE, [PLANES])
  if (claimed.length !== PLANES) throw new Error('planes were not claimed')
  await database.execute(REMOVE, [claimed.map(({ key }) => key), claimed.map(({ lease }) => lease)])
}

async function removedPlanes({ pool }: Database): Promise<void> {
  await pool.query(`insert into planes (plane, revision, compacted, removed_time)
    select 'plane-' || n, 1, 1, now() - interval '1 hour' from generate_series(0, ${PLANES - 1}) as n`)
}

/** Rows of removed planes are deleted. */
export const purges: Pair = {
  old: {
    prepare: removedPlanes,
    run: (database) => purgePlanes(database, 60),
    operations: PLANES,
  },
  new: { prepare: removedPlanes, run: newPurge, operations: PLANES },
}

const CLAIM_PASS = named(
  'generic_claim_pass',
  `with ${claim('pass', '$1::integer')} select key, lease from claimed`,
)

const FINISH_PASS = named(
  'generic_finish_pass',
  `with result as (
    select $1::text as key, $2::bigint as lease, 'pending' as state, 0::float8 as delay
  ), ${finish('pass')}
  select key from finished`,
)

async function newPass(database: Database): Promise<void> {
  const [claimed] = await database.execute<Claimed>(CLAIM_PASS, [1])
  if (claimed === undefined) throw new Error('the pass is not due')
  await dropFinished(database, FINISHED)
  await database.execute(FINISH_PASS, [claimed.key, claimed.lease])
}

function passes(pass: (database: Database) => Promise<unknown>, prepare: string) {
  return {
    prepare: async ({ pool }: Database) => void (await pool.query(prepare)),
    run: async (database: Database) => {
      for (let count = 0; count < PASSES; count += 1) await pass(database)
    },
    operations: PASSES,
  }
}

/** Passes that find nothing, such as those for old deliveries. */
export const idlePasses: Pair = {
  old: passes((database) => dropFinished(database, FINISHED), 'select 1'),
  new: passes(
    newPass,
    `insert into queue (kind, key, tenant, due_time, pending)
    values ('pass', 'deliveries', '', now(), 1) on conflict do nothing`,
  ),
}
