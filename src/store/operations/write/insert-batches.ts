import { type Call, createBatchQueue } from '../../../lib/async/batch-queue.ts'
import { withTimeout } from '../../../lib/async/with-timeout.ts'
import type { Database } from '../../database/database.ts'
import { insertResource, type InsertOutcome } from '../../resources/insert/insert-resource.ts'
import { type Insertion, insertResources } from '../../resources/insert/insert-resources.ts'
import { wasRolledBack } from '../../database/translate-database-error.ts'

/** Larger batches delay the first resources without saving much. */
const MAX_INSERTIONS = 64

/** How long the next batch waits for an insertion that runs alone. */
const LONE_MS = 50

/** Inserts a resource in one statement with others that arrive at the same time. */
export type InsertBatches = (insertion: Insertion) => Promise<InsertOutcome>

type InsertCall = Call<Insertion, InsertOutcome>

/**
 * Writes one batch at a time: creates that arrive during the write form the next batch. A create
 * that has not started within `timeoutMs` fails with `unavailable`.
 */
export function createInsertBatches(database: Database, timeoutMs: number): InsertBatches {
  return createBatchQueue<Insertion, InsertOutcome>({
    name: 'insert_resources',
    run: (batch) => insertBatch(database, batch),
    maxBatchSize: MAX_INSERTIONS,
    concurrency: 1,
    timeoutMs,
  })
}

async function insertBatch(database: Database, batch: readonly InsertCall[]): Promise<void> {
  const [first, second] = batch
  if (!first) return
  // Bounded, because a create that waits for a lock would delay the next batch.
  if (!second) await withTimeout(insertAlone(database, first), LONE_MS)
  else await insertTogether(database, batch)
}

async function insertTogether(database: Database, batch: readonly InsertCall[]): Promise<void> {
  let rest = batch
  try {
    while (rest.length > 0) {
      const outcomes = await insertResources(
        database,
        rest.map(({ input }) => input),
      )
      for (const [index, outcome] of outcomes.entries())
        resolveEntry(database, rest[index], outcome)
      rest = rest.slice(outcomes.length)
    }
  } catch (error) {
    // Retried one by one so that only the faulty create fails, unless the batch may be committed.
    for (const call of rest) {
      if (wasRolledBack(error)) void insertAlone(database, call)
      else call.reject(error)
    }
  }
}

function resolveEntry(
  database: Database,
  call: InsertCall | undefined,
  outcome: InsertOutcome | null,
): void {
  if (call === undefined) return
  if (outcome === null) void insertAlone(database, call)
  else call.resolve(outcome)
}

/** Never rejects; errors go to the call. */
async function insertAlone(database: Database, { input, resolve, reject }: InsertCall) {
  try {
    resolve(await insertResource(database, input.resource, input.parentKind))
  } catch (error) {
    reject(error)
  }
}
