import { advanceOperation } from '../../src/sandboxes/storage/advance-operation.ts'
import { beginOperation } from '../../src/sandboxes/storage/begin-operation.ts'
import { dropFinishedOperations } from '../../src/sandboxes/storage/drop-finished-operations.ts'
import { renewOperations } from '../../src/sandboxes/storage/renew-operations.ts'
import type { SandboxProgress } from '../../src/sandboxes/storage/sandbox-state.ts'
import { progressValues, STATE_COLUMNS } from '../../src/sandboxes/storage/state-row.ts'
import type { Database } from '../../src/store/database/database.ts'
import { save } from './generic-queue.ts'
import { named, type Pair } from './load.ts'

const SANDBOXES = 50
/** Steps of an operation. The second one and the last one also change the row of the sandbox. */
const STEPS = ['Prepared', 'Frozen', 'Captured', 'Recorded', 'Done'] as const
const LATER = new Date(Date.now() + 3_600_000)
const PROGRESS: SandboxProgress = {
  phase: 'Running',
  runtime: 'runtime-1',
  instanceId: 'instance-1',
  suspendedBy: null,
  snapshot: null,
  workloadDigest: 'sha256:0123456789abcdef',
  boot: 'CLEAN',
  isolationClass: 'process',
  details: { restarts: 1 },
}
const DATA = { backend: 'archive', snapshot: 'suspend-1', bytes: 123_456 }

function sandbox(index: number) {
  return { uid: `uid-${index}`, plane: 'plane', namespace: 'default', name: `sandbox-${index}` }
}

let counter = 0

async function oldOperation(database: Database, index: number): Promise<string> {
  const id = `operation-${(counter += 1)}`
  const begun = await beginOperation(database, {
    id,
    sandbox: sandbox(index),
    kind: 'Suspend',
    step: 'Started',
    holder: 'server',
    leaseSeconds: 30,
    generation: 1,
    data: {},
    now: new Date(),
  })
  if (begun === null) throw new Error('an operation is unfinished')
  for (const [place, step] of STEPS.entries()) {
    const isLast = place === STEPS.length - 1
    const advanced = await advanceOperation(database, {
      id,
      fence: begun.fence,
      step,
      attempt: 1,
      data: DATA,
      reason: null,
      message: null,
      nextAttemptTime: null,
      result: isLast ? 'Succeeded' : null,
      progress: isLast || place === 1 ? PROGRESS : null,
      now: new Date(),
    })
    if (advanced === null) throw new Error('lost')
    if (place === 2) await renewOperations(database, renewal([id]))
  }
  return id
}

function renewal(ids: readonly string[]) {
  return { ids, holder: 'server', leaseSeconds: 30, now: new Date() }
}

const BEGIN = named(
  'generic_begin_operation',
  `with state as (
    insert into sandbox_states (uid, plane, namespace, name, fence, isolation_class, created_time)
    values ($1::text, $2::text, $3::text, $4::text, 1, null, now())
    on conflict (uid) do update set
      fence = sandbox_states.fence + 1, version = sandbox_states.version + 1
    returning sandbox_states.*
  ), begun as (
    insert into queue (kind, key, tenant, due_time, owner, lease, attempt, pending, data)
    select 'sandbox', uid, '', now() + interval '30 seconds', 'server', fence, 1, 1, $5::jsonb
    from state
    on conflict (kind, key) do update set due_time = excluded.due_time, owner = excluded.owner,
      lease = excluded.lease, attempt = 1, pending = 1, data = excluded.data
    where queue.pending = 0
    returning queue.*
  )
  select ${STATE_COLUMNS.replaceAll('sandbox_states.', 'state.')}, begun.lease, begun.data
  from state, begun`,
)

const ADVANCE = named(
  'generic_advance_operation',
  `with ${save('sandbox', '$3::jsonb')}, progressed as (
    update sandbox_states set
      version = sandbox_states.version + 1, phase = $5::text, runtime = $6::text,
      instance_id = $7::text, suspended_by = $8::text, snapshot_name = $9::text,
      snapshot_uid = $10::text, workload_digest = $11::text, boot = $12::text,
      details = $13::jsonb, isolation_class = $14::text
    from saved where $4::boolean and sandbox_states.uid = saved.key
  )
  select key, data from saved`,
)

const FINISH = named(
  'generic_finish_operation',
  `with saved as (
    update queue set data = $3::jsonb, owner = null, due_time = 'infinity', pending = 0
    where kind = 'sandbox' and key = $1::text and lease = $2::bigint
    returning key, data
  ), progressed as (
    update sandbox_states set
      version = sandbox_states.version + 1, phase = $4::text, runtime = $5::text,
      instance_id = $6::text, suspended_by = $7::text, snapshot_name = $8::text,
      snapshot_uid = $9::text, workload_digest = $10::text, boot = $11::text,
      details = $12::jsonb, isolation_class = $13::text
    from saved where sandbox_states.uid = saved.key
  )
  select key, data from saved`,
)

const RENEW = named(
  'generic_renew',
  `with free as materialized (
    select key from queue where kind = 'sandbox' and key = any($1::text[]) and owner = 'server'
    for update skip locked
  )
  update queue set due_time = now() + interval '30 seconds' from free
  where queue.kind = 'sandbox' and queue.key = free.key returning queue.key`,
)

/** The values that have columns in `sandbox_operations`. */
function dataOf(index: number, step: string): string {
  const { uid: _uid, ...ref } = sandbox(index)
  const id = `operation-${counter}`
  return JSON.stringify({ ...ref, id, kind: 'Suspend', step, generation: 1, data: DATA })
}

async function newOperation(database: Database, index: number): Promise<string> {
  counter += 1
  const { uid, plane, namespace, name } = sandbox(index)
  const values = [uid, plane, namespace, name, dataOf(index, 'Started')]
  const [begun] = await database.execute<{ lease: bigint }>(BEGIN, values)
  if (begun === undefined) throw new Error('an operation is unfinished')
  for (const [place, step] of STEPS.entries()) {
    const key = [uid, begun.lease, dataOf(index, step)]
    const isLast = place === STEPS.length - 1
    const rows = isLast
      ? await database.execute(FINISH, [...key, ...progressValues(PROGRESS)])
      : await database.execute(ADVANCE, [...key, place === 1, ...progressValues(PROGRESS)])
    if (rows.length === 0) throw new Error('lost')
    if (place === 2) await database.execute(RENEW, [[uid]])
  }
  return uid
}

function eachSandbox(operate: (database: Database, index: number) => Promise<string>) {
  return async (database: Database): Promise<void> => {
    for (let index = 0; index < SANDBOXES; index += 1) await operate(database, index)
  }
}

async function nothing(): Promise<void> {}

/** Operations of five steps. Those of an earlier round are dropped, as after a day. */
export const operations: Pair = {
  old: {
    prepare: nothing,
    run: async (database) => {
      await dropFinishedOperations(database, LATER, 1000)
      await eachSandbox(oldOperation)(database)
    },
    operations: SANDBOXES,
  },
  new: { prepare: nothing, run: eachSandbox(newOperation), operations: SANDBOXES },
}
