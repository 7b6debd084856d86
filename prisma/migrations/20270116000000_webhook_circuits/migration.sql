-- Older servers: may run beside this schema. They send events also while a circuit is open.

-- The events in a row whose first attempt failed. While the circuit is open, failed probes count too.
alter table webhooks add column failures integer not null default 0;
-- When the next probe may be sent; null if the circuit is closed.
alter table webhooks add column probe_time timestamptz(3);
