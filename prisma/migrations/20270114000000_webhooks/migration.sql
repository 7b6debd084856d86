-- Older servers: may run beside this schema. They do not use the new tables. Newer servers queue the
-- events of their changes from the log.

-- A subscription to changes of resources.
create table webhooks (
  id                    text collate "C" not null,
  tenant                text collate "C" not null,
  url                   text not null,
  description           text not null,
  -- Names of kinds; empty for all kinds.
  kinds                 text[] not null,
  -- TSL; '' matches every resource.
  search                text not null,
  events                text[] not null,
  state                 text collate "C" not null,
  -- Why the server disabled it; '' unless it did.
  disabled_reason       text not null default '',
  -- Encrypted if the server has an encryption key.
  secret                text not null,
  -- The secret before the last rotation, which signs until the given time.
  previous_secret       text,
  previous_secret_until timestamptz(3),
  -- It receives the changes after this revision, if the log still has this epoch.
  since_epoch           text collate "C" not null,
  since_revision        bigint not null,
  -- Its queue is full: changes are not queued for it, and a resync event follows.
  overflowing           boolean not null default false,
  created_time          timestamptz(3) not null,
  updated_time          timestamptz(3) not null,
  created_by            text not null,
  updated_by            text not null,
  constraint webhooks_pkey primary key (id),
  constraint webhooks_state check (state in ('active', 'paused', 'disabled'))
);

create index webhooks_by_tenant on webhooks (tenant, id);

-- How far the log has been read for all webhooks. There is one row.
create table webhook_cursor (
  id          boolean not null default true,
  epoch       text collate "C" not null,
  revision    bigint not null,
  -- Incremented by every change of a webhook, so that no server queues events for old definitions.
  definitions bigint not null,
  constraint webhook_cursor_pkey primary key (id),
  constraint webhook_cursor_one check (id)
);

insert into webhook_cursor (epoch, revision, definitions) select epoch, revision, 0 from head;

-- The queue of one resource for one webhook. Its oldest pending delivery is sent first.
create table webhook_queues (
  webhook_id  text collate "C" not null,
  resource_id text collate "C" not null,
  -- The number of pending deliveries.
  pending     integer not null,
  -- When a server may take it; infinity if nothing is pending. Taking it moves the time to the end of
  -- the lease.
  due_time    timestamptz not null,
  -- Incremented by each server that takes it. Only the last one may finish the delivery.
  lease       bigint not null default 0,
  constraint webhook_queues_pkey primary key (webhook_id, resource_id),
  constraint webhook_queues_webhook_id_fkey foreign key (webhook_id)
    references webhooks (id) on delete cascade on update no action
) with (fillfactor = 70);

create index webhook_queues_due on webhook_queues (webhook_id, due_time);

-- An event for one webhook.
create table webhook_deliveries (
  seq               bigint generated always as identity,
  webhook_id        text collate "C" not null,
  -- '' for events about the webhook, which have a separate queue.
  resource_id       text collate "C" not null,
  -- With seq, identifies the event: seq can be assigned again after a restore.
  epoch             text collate "C" not null,
  type              text not null,
  -- The body of the request.
  payload           text not null,
  state             text collate "C" not null default 'pending',
  attempts          integer not null default 0,
  created_time      timestamptz(3) not null default now(),
  last_attempt_time timestamptz(3),
  -- The status of the last response; null without one.
  status_code       integer,
  -- Why the last attempt failed; '' if it succeeded.
  error             text not null default '',
  duration_ms       integer,
  constraint webhook_deliveries_pkey primary key (seq),
  constraint webhook_deliveries_state check (state in ('pending', 'delivered', 'dead')),
  constraint webhook_deliveries_webhook_id_fkey foreign key (webhook_id)
    references webhooks (id) on delete cascade on update no action
);

create index webhook_deliveries_pending on webhook_deliveries (webhook_id, resource_id, seq)
  where state = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, seq);
create index webhook_deliveries_dead on webhook_deliveries (webhook_id, seq) where state = 'dead';
create index webhook_deliveries_finished on webhook_deliveries (state, last_attempt_time)
  where state <> 'pending';
