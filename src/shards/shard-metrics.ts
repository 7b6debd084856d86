import { Counter, type Registry } from 'prom-client'

/** The metrics of a server that belongs to a shard. */
export interface ShardMetrics {
  /** Counts a request for another shard. Outcomes are a small set. */
  forwarded(shard: string, outcome: string): void
}

/** Registers the metrics of a shard. */
export function createShardMetrics(registry: Registry): ShardMetrics {
  const forwarded = new Counter({
    name: 'flotilla_shard_forwarded_total',
    help: 'Requests for other shards by shard and outcome: forwarded, misdirected (sent again to the current shard of a moved tenant), or failed.',
    labelNames: ['shard', 'outcome'],
    registers: [registry],
  })
  return { forwarded: (shard, outcome) => forwarded.inc({ shard, outcome }) }
}
