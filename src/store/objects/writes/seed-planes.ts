import { must } from '../../../lib/assert.ts'
import { chunksOf } from '../../../lib/chunks-of.ts'
import type { Database } from '../../database/database.ts'
import type { PlaneSeed } from '../model/plane-seed.ts'
import { emptyPlanes } from '../storage/empty-planes.ts'
import { insertObjects, insertRecord } from '../storage/insert-objects.ts'
import { insertPlanes, type PlaneBases, type PlaneCount } from '../storage/insert-planes.ts'
import { lockObjectEpoch } from '../storage/changes/lock-object-epoch.ts'
import { MAX_LENGTH } from './batch-writes.ts'
import type { RemoveRecords } from '../storage/remove-records.ts'
import type { EncodeBody } from './queued-write.ts'

/** The most planes whose seeds are in memory at the same time. */
const MAX_PLANES = 100

/** Writes the objects of new planes. Planes without objects stay without a row. */
export async function seedPlanes(
  transaction: Database,
  seeds: Iterable<PlaneSeed>,
  encode: EncodeBody,
): Promise<void> {
  let isLocked = false
  for (const group of groupsOf(seeds)) {
    if (!isLocked) await lockObjectEpoch(transaction)
    isLocked = true
    const bases = await insertPlanes(transaction, group.map(countOf))
    await insertContents(transaction, group, { bases, encode })
  }
}

interface Resetting {
  readonly encode: EncodeBody
  readonly removeRecords: RemoveRecords
}

/** Empties planes and writes their objects again. Returns the new revisions. */
export async function resetPlanes(
  transaction: Database,
  seeds: readonly PlaneSeed[],
  { encode, removeRecords }: Resetting,
): Promise<PlaneBases> {
  await lockObjectEpoch(transaction)
  const bases = await emptyPlanes(transaction, seeds.map(countOf), removeRecords)
  const kept = seeds.filter(({ plane }) => bases.has(plane))
  await insertContents(transaction, kept, { bases, encode })
  return new Map(
    kept.map(({ plane, contents }) => [plane, baseOf(bases, plane) + BigInt(contents.length)]),
  )
}

interface Writing {
  readonly bases: PlaneBases
  readonly encode: EncodeBody
}

async function insertContents(
  transaction: Database,
  seeds: readonly PlaneSeed[],
  { bases, encode }: Writing,
): Promise<void> {
  const records = seeds.flatMap(({ plane, contents }) => {
    const base = baseOf(bases, plane)
    return contents.map((content, index) => {
      const body = encode(content.key, content.body)
      return insertRecord(content, body, base + BigInt(index + 1))
    })
  })
  for (const chunk of chunksOf(records, ({ length }) => length, MAX_LENGTH)) {
    await insertObjects(transaction, chunk)
  }
}

function baseOf(bases: PlaneBases, plane: string): bigint {
  return must(bases.get(plane), 'the revision of a plane')
}

function countOf({ plane, start, contents }: PlaneSeed): PlaneCount {
  return { plane, start, count: contents.length }
}

/** Seeds with objects, in groups of limited size. */
function* groupsOf(seeds: Iterable<PlaneSeed>): Generator<readonly PlaneSeed[]> {
  let group: PlaneSeed[] = []
  for (const seed of seeds) {
    if (seed.contents.length > 0) group.push(seed)
    if (group.length < MAX_PLANES) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
