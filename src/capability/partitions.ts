import { repeat } from '../lib/async/repeat.ts'
import { maintainPartitions } from '../store/partitions/maintain-partitions.ts'
import type { Parts } from './capability.ts'

const INTERVAL_MS = 600_000
/** Rows of a new database wait in the default partition, so that a start is not slower. */
const DELAY_MS = 10_000

interface Options {
  readonly table: string
  readonly retentionSeconds: number
  readonly onError: (error: unknown) => void
}

/** Starts the maintenance of a table that is partitioned by day. */
export function startPartitions(
  { database, lifecycle }: Pick<Parts, 'database' | 'lifecycle'>,
  { table, retentionSeconds, onError }: Options,
): void {
  const work = (): Promise<void> => maintainPartitions(database, table, retentionSeconds)
  const maintenance = repeat({ pauseMs: INTERVAL_MS, onError, delayMs: DELAY_MS }, work)
  lifecycle.onClose(`partitions of ${table}`, () => maintenance[Symbol.asyncDispose]())
}
