import { insertResource } from '../../src/store/resources/insert/insert-resource.ts'
import { storeReport } from '../../src/hyperfleet/statuses/storage/store-report.ts'
import { writeObjects } from '../../src/store/objects/storage/write-objects.ts'
import { writeRecords } from '../../src/store/objects/storage/write-record.ts'
import { sampleResource, sampleStatus } from '../../test/search/sample-rows.ts'
import { configMap } from '../data/objects.ts'
import type { JsonObject } from '../../src/lib/json/json.ts'
import type { Part, Side } from './sides.ts'

/** Operations of a round. */
const OPERATIONS = 200
/** Writes that one run of the sequencer moves, as on a busy server. */
const PER_RUN = 20
const PADDING = Array.from({ length: 20 }, (_, index) => ({
  name: `member-${index}`,
  size: index * 17,
}))
const PLANES = Array.from({ length: 16 }, (_, index) => `plane-${index}`)

/** Work of one round on one side. Only `run` is measured. */
interface Load {
  readonly prepare: () => Promise<void>
  readonly run: () => Promise<void>
  readonly operations: number
}

/** The load on one side. */
export type LoadOf = (side: Side) => Load

let next = 0

/** The loads by name. Each includes the path to the log and its reader. */
export function loads(): ReadonlyMap<string, LoadOf> {
  return new Map<string, LoadOf>([
    ['create a resource', (side) => written(side, 'resources', () => create(side))],
    ['a report that flips', flips],
    [
      'create an object, one plane',
      (side) => written(side, 'objects', () => createObjects(side, PLANES.slice(0, 1))),
    ],
    ['apply to an object, one plane', (side) => applies(side, 1)],
    [
      'create an object in each of 16 planes',
      (side) => written(side, 'objects', () => createObjects(side, PLANES), 16),
    ],
    ['apply in each of 16 planes', (side) => applies(side, 16)],
    ['one report, one apply, both watched', bothWatched],
    ['watch resources, no object changes', (side) => watched(side, 'resources', 0)],
    ['watch resources, an object change for each', (side) => watched(side, 'resources', 1)],
    ['watch resources, 9 object changes for each', (side) => watched(side, 'resources', 9)],
    ['watch objects, a resource change for each', (side) => watched(side, 'objects', 1)],
    ['watch both, an object change for each', (side) => watched(side, 'every', 1)],
    ['the same, two statements on one log', (side) => watched(side, 'each', 1)],
    ['drop the changes of a busy plane', compacted],
  ])
}

/** Writes, with runs of the sequencer and reads of the log in between. */
function written(side: Side, part: Part, write: () => Promise<void>, size = 1): Load {
  return {
    prepare: () => emptyLog(side),
    run: async () => {
      for (let count = 1; count <= OPERATIONS / size; count += 1) {
        await write()
        if (count % Math.max(1, PER_RUN / size) < 1) await follow(side, part)
      }
    },
    operations: OPERATIONS,
  }
}

async function follow(side: Side, part: Part): Promise<void> {
  await side.sequence(part)
  if ((await side.read(part)) === 0) throw new Error('the log is empty')
  await side.mark()
}

async function emptyLog(side: Side): Promise<void> {
  // A run moves at most 1 000 changes.
  for (let run = 0; run < 3; run += 1) await side.sequence('every')
  await side.database.pool.query('vacuum analyze')
  await side.mark()
}

async function create(side: Side): Promise<void> {
  const resource = sampleResource((next += 1), { spec: { padding: PADDING } })
  if ((await insertResource(side.database, resource, null)) !== 'inserted') throw new Error('taken')
}

function flips(side: Side): Load {
  const resource = sampleResource((next += 1), { spec: { padding: PADDING } })
  let count = 0
  const load = written(side, 'resources', () => report(side, resource, (count += 1)))
  return {
    ...load,
    prepare: async () => {
      await insertResource(side.database, resource, null)
      await load.prepare()
    },
  }
}

async function report(
  { database }: Side,
  resource: ReturnType<typeof sampleResource>,
  count: number,
): Promise<void> {
  const { conditions } = resource
  const stored = await storeReport(database, {
    resource: { ...resource, version: BigInt(count) },
    conditions,
    status: sampleStatus('dns', count),
    rowVersion: count - 1,
    awaitsChildren: false,
  })
  if (!stored) throw new Error('a report was lost')
}

const revisions = new Map<string, bigint>()

/** Writes one object per plane in one statement; updates those that exist. */
async function writeEach(side: Side, planes: readonly string[], name: string): Promise<void> {
  const records = planes.flatMap((plane, position) => {
    const uid = `${plane}-${name}`
    const revision = revisions.get(`${side.database.connection.url} ${uid}`) ?? null
    const key = { plane, resource: 'configmaps', namespace: '', name }
    const body: JsonObject = { ...configMap(name, position) }
    const content = { key, uid, body, managedFields: [{ manager: 'bench', operation: 'Update' }] }
    const options = { bodies: [JSON.stringify(body)], isComputed: () => false }
    const place = { position, fence: null }
    return revision === null
      ? writeRecords(
          { ...content, type: 'create', requireNamespace: false, companions: [] },
          place,
          options,
        )
      : writeRecords(
          {
            ...content,
            type: 'update',
            revision,
            before: { labels: { app: 'app-0', half: 'half-0' }, fields: {} },
          },
          place,
          options,
        )
  })
  const starts = new Map(planes.map((plane) => [plane, 1n]))
  const outcomes = await writeObjects(side.database, { starts, records, fences: [] })
  for (const [index, { outcome, revision }] of outcomes.entries()) {
    if (outcome !== 'written' || revision === null) throw new Error(outcome)
    revisions.set(`${side.database.connection.url} ${planes[index]}-${name}`, revision)
  }
}

function createObjects(side: Side, planes: readonly string[]): Promise<void> {
  return writeEach(side, planes, `object-${(next += 1)}`)
}

function applies(side: Side, planes: number): Load {
  const name = `applied-${(next += 1)}`
  const write = (): Promise<void> => writeEach(side, PLANES.slice(0, planes), name)
  const load = written(side, 'objects', write, planes)
  return {
    ...load,
    prepare: async () => {
      await write()
      await load.prepare()
    },
  }
}

function bothWatched(side: Side): Load {
  const name = `applied-${(next += 1)}`
  const resource = sampleResource((next += 1), { spec: { padding: PADDING } })
  let count = 0
  const load = written(side, 'every', async () => {
    await report(side, resource, (count += 1))
    await writeEach(side, PLANES.slice(0, 1), name)
  })
  return {
    ...load,
    prepare: async () => {
      await insertResource(side.database, resource, null)
      await writeEach(side, PLANES.slice(0, 1), name)
      await load.prepare()
    },
  }
}

/** Reads 50 reports, and as many object changes for each, without the writes. */
function watched(side: Side, part: Part, objects: number): Load {
  const resource = sampleResource((next += 1), { spec: { padding: PADDING } })
  const name = `applied-${(next += 1)}`
  // A report logs itself and its resource.
  const expected = (part === 'objects' ? 0 : 100) + (part === 'resources' ? 0 : 50 * objects)
  return {
    prepare: async () => {
      await insertResource(side.database, resource, null)
      await emptyLog(side)
      for (let count = 1; count <= 50; count += 1) {
        await report(side, resource, count)
        for (let each = 0; each < objects; each += 1) {
          await writeEach(side, PLANES.slice(0, 1), name)
        }
      }
      await side.sequence('every')
    },
    run: async () => {
      for (let count = 0; count < 20; count += 1) {
        if ((await side.read(part)) !== expected) throw new Error('the log has other changes')
      }
    },
    operations: 20 * 50,
  }
}

/** Drops 1 000 changes of one plane that are mixed with reports. */
function compacted(side: Side): Load {
  const name = `applied-${(next += 1)}`
  const plane = `busy-${next}`
  const resource = sampleResource((next += 1), { spec: { padding: PADDING } })
  return {
    prepare: async () => {
      await insertResource(side.database, resource, null)
      for (let count = 1; count <= 500; count += 1) {
        await report(side, resource, count)
        await writeEach(side, [plane], name)
      }
      await emptyLog(side)
    },
    run: async () => {
      if ((await side.dropOfPlane(plane, 1_000_000n)) !== 500) throw new Error('not dropped')
    },
    operations: 500,
  }
}
