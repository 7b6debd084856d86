import { type Call, createBatchQueue } from '../../../lib/async/batch-queue.ts'
import { within } from '../../../lib/async/within.ts'
import type { Database } from '../../storage/database/database.ts'
import {
  insertResource,
  type InsertOutcome,
} from '../../storage/resources/insert/insert-resource.ts'
import { type Insertion, insertResources } from '../../storage/resources/insert/insert-resources.ts'
import { wasRolledBack } from '../../storage/database/translate-database-error.ts'

/** More resources per batch would make the first ones wait without saving much. */
const MAX_INSERTIONS = 64

/** How long the next batch waits for a resource that is inserted by itself. */
const LONE_MS = 50

/** Inserts a resource together with others that arrive at the same time. */
export type InsertBatches = (insertion: Insertion) => Promise<InsertOutcome>

type InsertCall = Call<Insertion, InsertOutcome>

/**
 * One batch is written at a time: creates that arrive meanwhile form the next one. A create that
 * has not started within `timeoutMs` fails with `unavailable`.
 */
export function createInsertBatches(database: Database, timeoutMs: number): InsertBatches {
  return createBatchQueue<Insertion, InsertOutcome>({
    run: (batch) => insertBatch(database, batch),
    most: MAX_INSERTIONS,
    atOnce: 1,
    timeoutMs,
  })
}

async function insertBatch(database: Database, batch: readonly InsertCall[]): Promise<void> {
  const [first, second] = batch
  if (!first) return
  // A lone create that waits for a lock does not hold up the next batch for long.
  if (!second) await within(insertAlone(database, first), LONE_MS)
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
      for (const [index, outcome] of outcomes.entries()) settle(database, rest[index], outcome)
      rest = rest.slice(outcomes.length)
    }
  } catch (error) {
    // Each again by itself, so that a bad one fails alone; but not if the batch may be committed.
    for (const call of rest) {
      if (wasRolledBack(error)) void insertAlone(database, call)
      else call.reject(error)
    }
  }
}

function settle(
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
