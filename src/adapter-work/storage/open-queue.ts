import type { Database } from '../../store/database/database.ts'
import type { WorkQueue } from './work-queue.ts'

/** A new queue starts at the head of the log; existing resources are queued by `fill_queue`. */
const OPEN_QUEUE = {
  name: 'open_queue',
  text: `
    with opened as (
      insert into adapter_queues as queue (adapter, kind, epoch, revision, filled_time, used_time)
      select $1::text, $2::text, head.epoch, head.revision, '-infinity', now() from head
      where exists (select 1 from adapter_queues where adapter = $1::text and kind = $2::text)
        or $3::integer is null or (select count(*) from adapter_queues) < $3::integer
      on conflict (adapter, kind) do update set used_time = now()
      returning 1
    )
    select exists (select 1 from opened) as opened`,
}

/** Creates a queue, or records its use. False if there are already `limit` queues; null: no limit. */
export async function openQueue(
  database: Database,
  { adapter, kind }: Pick<WorkQueue, 'adapter' | 'kind'>,
  limit: number | null,
): Promise<boolean> {
  const rows = await database.execute<{ opened: boolean }>(OPEN_QUEUE, [adapter, kind, limit])
  return rows[0]?.opened === true
}
