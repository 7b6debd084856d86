import sql from 'sql-template-tag'
import type { Database } from '../../store/database/database.ts'
import { placeWork } from './place-work.ts'
import { seenVersion } from './seen-version.ts'
import type { WorkQueue } from './work-queue.ts'

/** Resources that one statement queues. */
const CHUNK = 2000

/**
 * Queues the next existing resources, oldest first. Resources that are created later arrive
 * through the log. The last statement also deletes the rows of removed resources: if the queue has
 * started again after a loss of the log, it has no other trace of their removal. Returns true when
 * all resources are queued; null if another statement is writing the queue or has just written it.
 */
export async function fillQueue(database: Database, queue: WorkQueue): Promise<boolean | null> {
  const { adapter, kind } = queue
  const statement = sql`
    with queue as materialized (
      select filled_time, filled_id from adapter_queues
      where adapter = ${adapter}::text and kind = ${kind}::text and not is_filled
        and xmin = ${seenVersion(queue)}
      for update skip locked
    ), ids as materialized (
      select id as resource_id, created_time from resources
      where kind = ${kind}::text and (created_time, id)
        > ((select filled_time from queue), (select filled_id from queue))
      order by created_time, id limit ${CHUNK}::bigint
    ), last as (
      select resource_id, created_time from ids order by created_time desc, resource_id desc limit 1
    ), ${placeWork(queue, { waits: true })}, orphans as (
      delete from adapter_work as work
      where work.adapter = ${adapter}::text and work.kind = ${kind}::text
        and exists (select 1 from queue) and (select count(*) from ids) < ${CHUNK}::bigint
        and not exists (select 1 from resources where resources.id = work.resource_id)
    )
    update adapter_queues set
      filled_time = coalesce((select created_time from last), adapter_queues.filled_time),
      filled_id = coalesce((select resource_id from last), adapter_queues.filled_id),
      is_filled = (select count(*) from ids) < ${CHUNK}::bigint
    from queue where adapter = ${adapter}::text and kind = ${kind}::text
    returning is_filled`
  const [row] = await database.execute<{ is_filled: boolean }>(
    { name: 'fill_queue', text: statement.text },
    statement.values,
  )
  return row?.is_filled ?? null
}
