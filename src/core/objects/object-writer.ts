import { FlotillaError } from '../../lib/errors.ts'
import { must } from '../../lib/assert.ts'
import { chunksOf } from '../../lib/chunks-of.ts'
import { retry } from '../../lib/async/retry.ts'
import type { Database } from '../storage/database/database.ts'
import {
  codesOf,
  translateDatabaseError,
  wasRolledBack,
} from '../storage/database/translate-database-error.ts'
import { unlessCollision } from '../storage/database/unless-collision.ts'
import type { ObjectWrite, WriteOutcome } from './model/object-write.ts'
import type { WriteFence } from './model/write-fence.ts'
import { writeObjects, type WrittenRow } from './storage/write-objects.ts'
import { type EncodeBody, writeRecords } from './storage/write-record.ts'
import { type ComputedObjects, computedKeysOf } from './computed-objects.ts'
import { createPlaneQueues, type QueuedWrite } from './plane-queues.ts'

/** Attempts of a statement that collides with other transactions. */
const MAX_ATTEMPTS = 10

/** The most characters of the writes of a statement that has more than one. */
const MAX_LENGTH = 4_194_304

interface Options {
  readonly database: Database
  readonly encode: EncodeBody
  readonly computedObjects: ComputedObjects
  /** The revision at which a plane starts that has no row. */
  readonly startOf: (plane: string) => bigint | Promise<bigint>
  /** Called after each commit. */
  readonly onWritten: () => void
  /** How long a write may wait for earlier writes of its plane. */
  readonly timeoutMs: number
}

/** Writes one object, in one statement with other writes of its plane that arrive together. */
export type ObjectWriter = (write: ObjectWrite) => Promise<WriteOutcome>

export function createObjectWriter(options: Options): ObjectWriter {
  return createPlaneQueues({
    run: (plane, batch) => writeBatch(options, plane, batch),
    timeoutMs: options.timeoutMs,
  })
}

/** Never rejects; errors go to the writes. */
async function writeBatch(
  options: Options,
  plane: string,
  batch: readonly QueuedWrite[],
): Promise<void> {
  for (const group of groupsOf(batch)) {
    try {
      const outcomes = await execute(options, plane, group)
      for (const [index, outcome] of outcomes.entries()) group[index]?.resolve(outcome)
    } catch (error) {
      await writeAlone(options, plane, group, error)
    }
  }
}

/** Bounds the size of a statement. */
function groupsOf(batch: readonly QueuedWrite[]): readonly (readonly QueuedWrite[])[] {
  if (batch.length === 1) return [batch]
  return chunksOf(batch, ({ size }) => size, MAX_LENGTH)
}

/** One by one, so that only the faulty write fails, unless the batch may be committed. */
async function writeAlone(
  options: Options,
  plane: string,
  batch: readonly QueuedWrite[],
  cause: unknown,
): Promise<void> {
  if (batch.length === 1 || !wasRolledBack(cause)) {
    for (const { reject } of batch) reject(failureOf(cause))
    return
  }
  for (const single of batch) await writeBatch(options, plane, [single])
}

async function execute(
  options: Options,
  plane: string,
  group: readonly QueuedWrite[],
): Promise<readonly WriteOutcome[]> {
  const { database, encode, computedObjects, onWritten } = options
  const computed = await computedKeysOf(computedObjects, plane, group)
  const positions: number[] = []
  const records: string[] = []
  const fences: WriteFence[] = []
  for (const { write } of group) {
    const place = {
      position: records.length,
      fence: write.fence ? fences.push(write.fence) - 1 : null,
    }
    positions.push(place.position)
    records.push(...writeRecords(write, place, { encode, isComputed: computed.has }))
  }
  const start = await options.startOf(plane)
  const batch = { plane, start, computedNamespaces: computed.namespaces, records, fences }
  const rows = await retry(MAX_ATTEMPTS, null, () =>
    unlessCollision(() => writeObjects(database, batch), null),
  )
  if (rows === null) {
    throw new FlotillaError('unavailable', 'Concurrent writes collided: try again')
  }
  if (rows.some(({ outcome }) => outcome === 'written')) onWritten()
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return positions.map((position) => outcomeOf(must(byPosition.get(position), 'an outcome')))
}

function outcomeOf({ outcome, revision }: WrittenRow): WriteOutcome {
  if (outcome === 'written') return { status: outcome, revision: must(revision, 'a revision') }
  if (outcome !== 'plane-removed') return { status: outcome }
  throw new FlotillaError('not-found', 'The plane has been removed')
}

/** PostgreSQL rejects a body with U+0000, a lone surrogate or a number beyond its range. */
function failureOf(error: unknown): unknown {
  if (codesOf(error).some((code) => code.startsWith('22') || code.startsWith('54'))) {
    return new FlotillaError(
      'unprocessable',
      'The object has text or numbers that are not stored',
      {
        cause: error,
      },
    )
  }
  return translateDatabaseError(error)
}
