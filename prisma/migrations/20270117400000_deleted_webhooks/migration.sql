-- Older servers: may run beside this schema. They show a deleted webhook as disabled until its rows are
-- removed, and neither queue nor send its events.

-- When it was deleted. Servers no longer show it, and remove its queues and deliveries in batches before
-- its row. Its state is `disabled`.
alter table webhooks add column deleted_time timestamptz(3);
