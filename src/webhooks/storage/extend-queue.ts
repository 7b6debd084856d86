/**
 * Adds to the pending events of queues that exist. The due time of a queue with pending events is
 * that of its first event.
 */
export const EXTEND_QUEUE = `
      on conflict (webhook_id, resource_id) do update set
        pending = webhook_queues.pending + excluded.pending,
        due_time = case when webhook_queues.pending = 0 then excluded.due_time
          else webhook_queues.due_time end`
