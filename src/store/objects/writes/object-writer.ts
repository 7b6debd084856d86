import { FlotillaError } from '../../../lib/errors.ts'
import { must } from '../../../lib/assert.ts'
import { retry } from '../../../lib/async/retry.ts'
import type { Database } from '../../database/database.ts'
import {
  codesOf,
  translateDatabaseError,
  wasRolledBack,
} from '../../database/translate-database-error.ts'
import { unlessCollision } from '../../database/unless-collision.ts'
import { type ComputedObjects, type ComputedPlane, isComputedKey } from '../computed-objects.ts'
import type { ObjectWrite, WriteOutcome } from '../model/object-write.ts'
import type { ObjectKey } from '../model/stored-object.ts'
import type { ObjectFence } from '../model/object-fence.ts'
import type { WriteFence } from '../model/write-fence.ts'
import { writeObjects, type WrittenRow } from '../storage/write-objects.ts'
import { writeRecords } from '../storage/write-record.ts'
import { type EncodeBody, queuedWrite, type QueuedWrite } from './queued-write.ts'
import { type PlaneBatch, WriteQueues } from './write-queues.ts'

/** Attempts of a statement that collides with other transactions. */
const MAX_ATTEMPTS = 10

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

/** Writes one object, in one statement with other writes that arrive together. */
export type ObjectWriter = (write: ObjectWrite) => Promise<WriteOutcome>

export function createObjectWriter(options: Options): ObjectWriter {
  const queues = new WriteQueues({
    run: (batches, release) => writeTogether(options, batches, release),
    timeoutMs: options.timeoutMs,
  })
  return (write) =>
    new Promise((resolve, reject) => {
      queues.push(queuedWrite(write, options.encode, { resolve, reject }))
    })
}

type Release = (batch: PlaneBatch) => void

/** Never rejects; errors go to the writes. Does not wait for planes that others have locked. */
async function writeTogether(
  options: Options,
  batches: readonly PlaneBatch[],
  release: Release,
): Promise<void> {
  const [prepared, alone] = partition(batches)
  for (const batch of alone) void writeAlone(options, batch, release)
  const together = await prepare(options, prepared, release)
  if (together.length === 0) return
  try {
    const outcomes = await execute(options, together)
    for (const batch of together) {
      if (batch.writes.some((write) => outcomes.get(write)?.outcome === 'locked')) {
        void writeAlone(options, batch, release)
      } else {
        settle(batch, outcomes)
        release(batch)
      }
    }
  } catch (error) {
    failTogether(options, together, { error, release })
  }
}

/** A batch and the facts about its plane that its records depend on. */
interface PreparedBatch extends PlaneBatch {
  readonly start: bigint
  readonly computed: ComputedPlane
}

/** Rejects the writes of planes whose facts cannot be read, and returns the other batches. */
async function prepare(
  { computedObjects, startOf }: Options,
  batches: readonly PlaneBatch[],
  release: Release,
): Promise<readonly PreparedBatch[]> {
  const prepared: PreparedBatch[] = []
  for (const batch of batches) {
    const { plane, writes } = batch
    try {
      const start = await startOf(plane)
      prepared.push({ ...batch, start, computed: await computedObjects(plane) })
    } catch (error) {
      for (const { reject } of writes) reject(error)
      release(batch)
    }
  }
  return prepared
}

/** Suspicious writes get a statement each. */
function partition(batches: readonly PlaneBatch[]): readonly [PlaneBatch[], PlaneBatch[]] {
  const isAlone = ({ writes }: PlaneBatch): boolean => writes.some((write) => write.isSuspicious)
  return [batches.filter((batch) => !isAlone(batch)), batches.filter(isAlone)]
}

/** Waits for the lock of the plane. Never rejects. */
async function writeAlone(options: Options, batch: PlaneBatch, release: Release): Promise<void> {
  const prepared = await prepare(options, [batch], release)
  if (prepared.length === 0) return
  try {
    settle(batch, await execute(options, prepared))
    release(batch)
  } catch (error) {
    failTogether(options, [batch], { error, release })
  }
}

/** One by one, so that only the faulty write fails, unless the statement may be committed. */
function failTogether(
  options: Options,
  batches: readonly PlaneBatch[],
  { error, release }: { readonly error: unknown; readonly release: Release },
): void {
  const [only] = batches
  const isSingle = batches.length === 1 && only?.writes.length === 1
  for (const batch of batches) {
    if (isSingle || !wasRolledBack(error)) {
      for (const { reject } of batch.writes) reject(failureOf(error))
      release(batch)
    } else {
      void writeSingly(options, batch, release)
    }
  }
}

async function writeSingly(
  options: Options,
  { plane, writes }: PlaneBatch,
  release: Release,
): Promise<void> {
  for (const write of writes) {
    await writeAlone(options, { plane, writes: [write] }, () => undefined)
  }
  release({ plane, writes })
}

function settle({ writes }: PlaneBatch, outcomes: ReadonlyMap<QueuedWrite, WrittenRow>): void {
  for (const queued of writes) {
    try {
      queued.resolve(outcomeOf(must(outcomes.get(queued), 'the outcome of a write')))
    } catch (error) {
      queued.reject(error)
    }
  }
}

/** Runs one statement. */
async function execute(
  { database, onWritten }: Options,
  batches: readonly PreparedBatch[],
): Promise<ReadonlyMap<QueuedWrite, WrittenRow>> {
  const starts = new Map<string, bigint>()
  const records: string[] = []
  const fences: (WriteFence | ObjectFence)[] = []
  const positions = new Map<number, QueuedWrite>()
  for (const { plane, writes, start, computed } of batches) {
    const isComputed = (key: ObjectKey): boolean => isComputedKey(computed, key)
    starts.set(plane, start)
    for (const queued of writes) {
      const { write, bodies } = queued
      const fence = write.fence ? fences.push(write.fence) - 1 : null
      positions.set(records.length, queued)
      const place = { position: records.length, fence }
      records.push(...writeRecords(write, place, { bodies, isComputed }))
    }
  }
  const rows = await retry(MAX_ATTEMPTS, null, async () => {
    const written = await unlessCollision(
      () => writeObjects(database, { starts, records, fences }),
      null,
    )
    // The statement of one plane waits for its lock, unless the row was created after its first look.
    const hasMissedRow = starts.size === 1 && (written ?? []).some(isLocked)
    return hasMissedRow ? null : written
  })
  if (rows === null) {
    throw new FlotillaError('unavailable', 'Concurrent writes collided: try again')
  }
  if (rows.some(({ outcome }) => outcome === 'written')) onWritten()
  return new Map(rows.map((row) => [must(positions.get(row.position), 'a write'), row]))
}

function isLocked({ outcome }: WrittenRow): boolean {
  return outcome === 'locked'
}

function outcomeOf({ outcome, revision }: WrittenRow): WriteOutcome {
  if (outcome === 'written') return { status: outcome, revision: must(revision, 'a revision') }
  if (outcome === 'plane-removed') {
    throw new FlotillaError('not-found', 'The plane has been removed')
  }
  if (outcome === 'locked') {
    throw new FlotillaError('unavailable', 'Another server writes to the plane: try again')
  }
  return { status: outcome }
}

/** PostgreSQL rejects a body with U+0000, a lone surrogate or a number beyond its range. */
function failureOf(error: unknown): unknown {
  if (codesOf(error).some((code) => code.startsWith('22') || code.startsWith('54'))) {
    return new FlotillaError(
      'unprocessable',
      'The object has text or numbers that are not stored',
      { cause: error },
    )
  }
  return translateDatabaseError(error)
}
