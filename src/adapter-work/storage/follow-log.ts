import sql from 'sql-template-tag'
import type { Database } from '../../store/database/database.ts'
import { placeWork } from './place-work.ts'
import { seenVersion } from './seen-version.ts'
import type { WorkQueue } from './work-queue.ts'

/** The maximum number of changes that one statement reads. */
const MAX_CHANGES = 2000

/** The progress of a queue. */
export interface QueueProgress {
  readonly epoch: string
  readonly revision: bigint
  /** Whether the log has no further changes. */
  readonly isCurrent: boolean
  /** Whether all existing resources have been queued. */
  readonly isFilled: boolean
}

interface Row {
  readonly epoch: string
  readonly revision: bigint
  readonly is_current: boolean
  readonly is_filled: boolean
}

/**
 * Brings a queue up to date with the log: creates, new generations, declarations of adapters and
 * deletions of its resources, and the reports of its adapter. The lock of the queue's row orders the servers. A statement that
 * waited while another one moved the queue changes nothing and is not current: it must run again.
 * Only a statement that moves the queue writes the row, so that waiting servers do not make each
 * other wait again. If the log no longer has the next changes, the queue starts again at the head and
 * is filled again.
 */
export async function followLog(
  database: Database,
  queue: WorkQueue,
): Promise<QueueProgress | null> {
  const { adapter, kind } = queue
  const statement = sql`
    with queue as materialized (
      select epoch, revision, is_filled, xmin = ${seenVersion(queue)} as is_seen
      from adapter_queues
      where adapter = ${adapter}::text and kind = ${kind}::text for update
    ), bounds as materialized (
      select head.epoch, queue.revision as after, head.revision as head,
        least(queue.revision + ${MAX_CHANGES}::bigint, head.revision) as upto,
        queue.epoch <> head.epoch or queue.revision < head.compacted as is_lost
      from queue, head where is_seen
    ), ids as materialized (
      select distinct resource_id from changes
      where revision > (select after from bounds) and revision <= (select upto from bounds)
        and not (select is_lost from bounds)
        and case
          when changes.kind is null then changes.adapter = ${adapter}::text and exists (
            select 1 from adapter_work as work
            where work.resource_id = changes.resource_id and work.adapter = ${adapter}::text
              and work.kind = ${kind}::text)
          else changes.kind = ${kind}::text
            and (type <> 'MODIFIED' or old_generation is distinct from generation
              or old_required_adapters is distinct from required_adapters)
        end
    ), ${placeWork(queue, { waits: true })}, moved as (
      update adapter_queues set
        epoch = bounds.epoch,
        revision = case when is_lost then head else upto end,
        filled_time = case when is_lost then '-infinity' else filled_time end,
        filled_id = case when is_lost then '' else filled_id end,
        is_filled = is_filled and not is_lost
      from bounds where adapter = ${adapter}::text and kind = ${kind}::text
        and (is_lost or upto > after)
      returning adapter_queues.epoch, revision, revision >= head as is_current, is_filled
    )
    select epoch, revision, is_current, is_filled from moved
    union all
    select epoch, revision, is_seen as is_current, is_filled from queue
    where not exists (select 1 from moved)`
  const [row] = await database.execute<Row>(
    { name: 'follow_log', text: statement.text },
    statement.values,
  )
  if (!row) return null
  const { epoch, revision, is_current: isCurrent, is_filled: isFilled } = row
  return { epoch, revision, isCurrent, isFilled }
}
