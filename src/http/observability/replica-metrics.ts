import { Counter, Gauge, type Registry } from 'prom-client'

/** Replicas of the database as metrics show them. */
interface ShownReplicas {
  states(): readonly {
    readonly name: string
    readonly isUp: boolean
    readonly lagSeconds: number
  }[]
}

/** Registers the metrics of replicas. */
export function createReplicaMetrics(registry: Registry): {
  readonly countRead: (replica: string, outcome: string) => void
  readonly expose: (replicas: ShownReplicas) => void
} {
  const reads = new Counter({
    name: 'flotilla_replica_reads_total',
    help: 'Reads sent to a replica, by outcome. The primary serves the rest.',
    labelNames: ['replica', 'outcome'],
    registers: [registry],
  })
  return {
    countRead: (replica, outcome) => reads.inc({ replica, outcome }),
    expose: (replicas) => {
      const up: Gauge = new Gauge({
        name: 'flotilla_replica_up',
        help: 'Whether a replica is in use (1) or not (0).',
        aggregator: 'min',
        labelNames: ['replica'],
        registers: [registry],
        collect: () => {
          for (const { name: replica, isUp } of replicas.states()) {
            up.set({ replica }, isUp ? 1 : 0)
          }
        },
      })
      const lag: Gauge = new Gauge({
        name: 'flotilla_replica_lag_seconds',
        help: 'How far a replica is behind the primary, accurate to a second. +Inf before its first answer.',
        aggregator: 'max',
        labelNames: ['replica'],
        registers: [registry],
        collect: () => {
          for (const { name: replica, lagSeconds } of replicas.states()) {
            lag.set({ replica }, lagSeconds)
          }
        },
      })
    },
  }
}
