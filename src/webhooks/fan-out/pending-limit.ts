import type { Database } from '../../store/database/database.ts'
import { countBacklog } from '../storage/count-backlog.ts'
import type { QueuedEvent } from '../storage/queue-events.ts'
import type { Subscription } from './plan-events.ts'

/** Between two counts of all queues. Counts in between are estimates. */
const INTERVAL_MS = 5000

/** Bounds the pending deliveries of a webhook. */
export interface PendingLimit {
  /** Counts again if the last count is old. */
  refresh(): Promise<void>
  /** Adds queued events to the estimates. */
  add(events: readonly QueuedEvent[]): void
  /** Webhooks that must stop collecting events. */
  overflowed(subscriptions: readonly Subscription[]): readonly string[]
  /** Webhooks that collect events again: half of their queue is empty. */
  recovered(subscriptions: readonly Subscription[]): readonly string[]
  /** The pending deliveries of all webhooks. */
  total(): number
  /** The webhooks whose circuit was open at the last count. */
  openCircuits(): number
}

/** Creates the limit. A queue may exceed it by the events of one batch. */
export function createPendingLimit(database: Database, limit: number): PendingLimit {
  let counts = new Map<string, number>()
  let openCircuits = 0
  let countedAt = -Infinity
  const countOf = ({ webhook }: Subscription): number => counts.get(webhook.id) ?? 0
  return {
    refresh: async () => {
      if (performance.now() - countedAt < INTERVAL_MS) return
      const backlog = await countBacklog(database)
      counts = new Map(backlog.pending)
      openCircuits = backlog.openCircuits
      countedAt = performance.now()
    },
    add: (events) => {
      for (const { webhookId } of events) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
    },
    overflowed: (subscriptions) =>
      subscriptions
        .filter((each) => !each.isOverflowing && countOf(each) >= limit)
        .map(({ webhook }) => webhook.id),
    recovered: (subscriptions) =>
      subscriptions
        .filter((each) => each.isOverflowing && countOf(each) <= limit / 2)
        .map(({ webhook }) => webhook.id),
    openCircuits: () => openCircuits,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
  }
}
