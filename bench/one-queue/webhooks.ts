import { claimDeliveries } from '../../src/webhooks/storage/claim-deliveries.ts'
import { finishDeliveries } from '../../src/webhooks/storage/finish-deliveries.ts'
import { queueEvents } from '../../src/webhooks/storage/queue-events.ts'
import { readWebhookCursor } from '../../src/webhooks/storage/read-cursor.ts'
import type { Database } from '../../src/store/database/database.ts'
import { claim, enqueue, finish } from './generic-queue.ts'
import { named, type Pair } from './load.ts'

const BATCH = 64
const BATCHES = 10
const WEBHOOKS = 20
const RESOURCES = 200
const PAYLOAD = JSON.stringify({ padding: 'x'.repeat(1000) })

/** 20 webhooks of 10 tenants. */
export const FILL_WEBHOOKS = `
  insert into webhooks (id, tenant, url, description, kinds, search, events, state, secret,
    since_epoch, since_revision, created_time, updated_time, created_by, updated_by)
  select 'webhook-' || n, 'tenant-' || n % 10, 'https://receiver.test', '', '{}', '', '{}', 'active',
    'secret', '', 0, now(), now(), 'bench', 'bench'
  from generate_series(1, ${WEBHOOKS}) as n;`

interface Event {
  readonly webhookId: string
  readonly resourceId: string
}

let counter = 0

/** A change of each resource sends an event to a few webhooks. */
function events(): readonly Event[] {
  return Array.from({ length: BATCH }, () => {
    counter += 1
    const webhook = 1 + (counter % WEBHOOKS)
    return { webhookId: `webhook-${webhook}`, resourceId: `resource-${counter % RESOURCES}` }
  })
}

async function oldBatch(database: Database): Promise<void> {
  const { cursor: from } = await readWebhookCursor(database)
  const moved = await queueEvents(database, {
    from,
    to: { epoch: from.epoch, revision: from.revision + 1n },
    events: events().map((event) => ({ ...event, type: 'MODIFIED', payload: PAYLOAD })),
    split: null,
    overflowed: [],
    recovered: [],
  })
  if (!moved) throw new Error('the cursor has moved')
  for (let sent = 0; sent < BATCH;) {
    const claimed = await claimDeliveries(database, {
      busy: new Map(),
      excluded: [],
      perWebhook: 16,
      free: 512,
      maxBytes: 8_388_608,
      leaseSeconds: 35,
    })
    if (claimed.length === 0) throw new Error('no deliveries')
    await finishDeliveries(
      database,
      claimed.map((delivery) => ({
        delivery,
        state: 'delivered' as const,
        delaySeconds: 0,
        statusCode: 200,
        error: '',
        durationMs: 5,
      })),
    )
    sent += claimed.length
  }
}

const QUEUE = named(
  'generic_queue_events',
  `with moved as (
    update webhook_cursor set epoch = $4::text, revision = $5::bigint
    where epoch = $1::text and revision = $2::bigint and definitions = $3::bigint
    returning revision
  ), inserted as (
    insert into webhook_deliveries (webhook_id, resource_id, epoch, type, payload)
    select webhook_id, resource_id, $4::text, type, payload
    from moved cross join rows from (
        unnest($6::text[], $7::text[], $8::text[]), json_array_elements_text($9::json)
      ) with ordinality as event (webhook_id, resource_id, type, payload, position)
    order by position
    returning webhook_id, resource_id
  ), item as (
    select tenant, webhook_id || '/' || resource_id as key, count(*)::integer as count
    from inserted join webhooks on webhooks.id = webhook_id group by tenant, webhook_id, resource_id
  ), ${enqueue('webhook')}
  select exists (select from moved) as moved`,
)

const CLAIM = named(
  'generic_claim_deliveries',
  `with ${claim('webhook', '$1::integer')}
  select claimed.key, lease, seq, epoch, payload, attempts, url, secret, failures,
    probe_time is not null as is_open
  from claimed
  join webhooks on webhooks.id = split_part(claimed.key, '/', 1)
  cross join lateral (
    select seq, epoch, payload, attempts from webhook_deliveries
    where webhook_id = split_part(claimed.key, '/', 1)
      and resource_id = split_part(claimed.key, '/', 2) and webhook_deliveries.state = 'pending'
    order by seq limit 1
  ) as delivery`,
)

const FINISH = named(
  'generic_finish_deliveries',
  `with result as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::float8[])
      as result (key, lease, seq, state, delay)
  ), ${finish('webhook')}, recorded as (
    update webhook_deliveries set state = result.state, attempts = attempts + 1,
      last_attempt_time = now(), status_code = 200, error = '', duration_ms = 5
    from result join finished using (key)
    where webhook_deliveries.seq = result.seq and result.state <> 'pending'
  )
  select key from finished`,
)

interface Claimed {
  readonly key: string
  readonly lease: bigint
  readonly seq: bigint
  readonly is_open: boolean
}

async function newBatch(database: Database): Promise<void> {
  const { cursor: from } = await readWebhookCursor(database)
  const queued = events()
  await database.execute(QUEUE, [
    from.epoch,
    from.revision,
    from.definitions,
    from.epoch,
    from.revision + 1n,
    queued.map(({ webhookId }) => webhookId),
    queued.map(({ resourceId }) => resourceId),
    queued.map(() => 'MODIFIED'),
    JSON.stringify(queued.map(() => PAYLOAD)),
  ])
  for (let sent = 0; sent < BATCH;) {
    const claimed = await database.execute<Claimed>(CLAIM, [512])
    if (claimed.length === 0) throw new Error('no deliveries')
    await database.execute(FINISH, [
      claimed.map(({ key }) => key),
      claimed.map(({ lease }) => lease),
      claimed.map(({ seq }) => seq),
      claimed.map(({ is_open: isOpen }) => (isOpen ? 'pending' : 'delivered')),
      claimed.map(() => 0.001),
    ])
    sent += claimed.filter(({ is_open: isOpen }) => !isOpen).length
  }
}

const RESET = `truncate webhook_deliveries; update webhooks set failures = 0, probe_time = null`
/** The first webhook is broken, and has a backlog. Its webhook does not receive other events. */
const BREAK = `
  update webhooks set failures = 9, probe_time = now() + interval '1 hour' where id = 'broken';
  insert into webhook_deliveries (webhook_id, resource_id, epoch, type, payload)
  select 'broken', 'resource-' || n, '', 'MODIFIED', repeat('x', 1000)
  from generate_series(1, 300) as n`
const BROKEN_WEBHOOK = `
  insert into webhooks (id, tenant, url, description, kinds, search, events, state, secret,
    since_epoch, since_revision, created_time, updated_time, created_by, updated_by)
  select 'broken', 'tenant-1', url, '', '{}', '', '{}', 'active', secret, '', 0, now(), now(), '', ''
  from webhooks where id = 'webhook-1' on conflict do nothing`
const OLD_BACKLOG = `
  insert into webhook_queues (webhook_id, resource_id, pending, due_time)
  select 'broken', 'resource-' || n, 1, now() from generate_series(1, 300) as n
  on conflict (webhook_id, resource_id) do nothing`
const NEW_BACKLOG = `
  insert into queue (kind, key, tenant, due_time, pending)
  select 'webhook', 'broken/resource-' || n, 'tenant-1', now(), 1 from generate_series(1, 300) as n
  on conflict (kind, key) do nothing`

function batches(batch: (database: Database) => Promise<void>, prepare: readonly string[]) {
  return {
    prepare: async ({ pool }: Database) => {
      for (const text of [RESET, ...prepare]) await pool.query(text)
    },
    run: async (database: Database) => {
      for (let count = 0; count < BATCHES; count += 1) await batch(database)
    },
    operations: BATCH * BATCHES,
  }
}

const NOTHING_BROKEN = `delete from webhooks where id = 'broken'`
const NO_ROWS_OF_BROKEN = `delete from queue where key like 'broken/%'`

/** Events of a batch of changes are queued, claimed and delivered. */
export const deliveries: Pair = {
  old: batches(oldBatch, [NOTHING_BROKEN]),
  new: batches(newBatch, [NOTHING_BROKEN, NO_ROWS_OF_BROKEN]),
}

/** The same, while the circuit of another webhook is open, which has 300 due queues. */
export const deliveriesBesideBroken: Pair = {
  old: batches(oldBatch, [BROKEN_WEBHOOK, BREAK, OLD_BACKLOG]),
  new: batches(newBatch, [BROKEN_WEBHOOK, BREAK, NEW_BACKLOG]),
}
