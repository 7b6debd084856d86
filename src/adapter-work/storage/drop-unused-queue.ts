import type { Database } from '../../store/database/database.ts'

/** A queue is removed with its last rows. One that is used again before that is filled again. */
const DROP_UNUSED_QUEUE = {
  name: 'drop_unused_queue',
  text: `
    with old as materialized (
      select adapter, kind from adapter_queues
      where used_time < now() - interval '7 days'
      order by used_time limit 1 for update skip locked
    ), rows as (
      delete from adapter_work where ctid = any(array(
        select adapter_work.ctid from adapter_work join old using (adapter, kind)
        limit $1::integer))
      returning 1
    ), emptied as (
      update adapter_queues as queue set is_filled = false, filled_time = '-infinity', filled_id = ''
      from old where queue.adapter = old.adapter and queue.kind = old.kind
        and (select count(*) from rows) = $1::integer
    )
    delete from adapter_queues as queue using old
    where queue.adapter = old.adapter and queue.kind = old.kind
      and (select count(*) from rows) < $1::integer`,
}

const MAX_ROWS = 5000

/** Removes a part of a queue that has not been used for a week. */
export async function dropUnusedQueue(database: Database): Promise<void> {
  await database.execute(DROP_UNUSED_QUEUE, [MAX_ROWS])
}
