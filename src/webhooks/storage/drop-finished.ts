import type { Database } from '../../store/database/database.ts'

const DROP_FINISHED = {
  name: 'drop_finished_deliveries',
  text: `
    with old as (
      select seq
      from webhook_deliveries where state = $1::text and state <> 'pending'
        and last_attempt_time < now() - make_interval(secs => $2::integer)
      order by last_attempt_time limit $3::integer for update skip locked
    ), dropped as (
      delete from webhook_deliveries using old where webhook_deliveries.seq = old.seq
      returning old.seq
    )
    select count(*)::integer as count from dropped`,
}

const DROP_EMPTY_QUEUES = {
  name: 'drop_empty_webhook_queues',
  text: `
    with empty as (
      select webhook_id, resource_id from webhook_queues
      where pending = 0 and due_time = 'infinity' for update skip locked
    )
    delete from webhook_queues using empty
    where webhook_queues.webhook_id = empty.webhook_id
      and webhook_queues.resource_id = empty.resource_id`,
}

interface Finished {
  readonly state: 'delivered' | 'dead'
  /** The seconds since their last attempt. */
  readonly age: number
  readonly limit: number
}

/** Deletes finished deliveries beyond an age, the oldest first, and returns their number. */
export async function dropFinished(
  database: Database,
  { state, age, limit }: Finished,
): Promise<number> {
  const [row] = await database.execute<{ count: number }>(DROP_FINISHED, [state, age, limit])
  return row?.count ?? 0
}

/** Deletes the queues of resources without pending deliveries. */
export async function dropEmptyQueues(database: Database): Promise<void> {
  await database.execute(DROP_EMPTY_QUEUES, [])
}
