import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ObjectStore } from '../../../src/store/objects/object-store.ts'
import { must } from '../../../src/lib/assert.ts'
import { type Program, startNode } from '../../process/program.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { openStore, type OpenStore, START } from './open-store.ts'
import { proofSize } from '../../support/proof-size.ts'

const PLANES = 4
const PROCESSES = 3
const WRITERS = 6
const MIN_WRITES = proofSize(3000)

/** Reads the config maps of a plane, stops at random, and resumes from its revision. */
interface Reader {
  readonly received: readonly bigint[]
  finish(revision: bigint): Promise<void>
}

function startReader(store: ObjectStore, plane: string): Reader {
  const received: bigint[] = []
  let position = START
  let end: bigint | null = null
  const isAtEnd = (): boolean => end !== null && position >= end

  async function readSome(): Promise<void> {
    using following = await store.follow({ plane, resource: 'configmaps' }, position, {
      onChanges: (changes) => {
        for (const { revision } of changes) received.push(revision)
      },
      onLost: () => received.push(-1n),
      ready: () => sleep(1),
    })
    const stopAt = received.length + Math.random() * 200
    while (received.length < stopAt && !isAtEnd()) {
      await sleep(3)
      position = following.revision
    }
  }

  async function read(): Promise<void> {
    while (!isAtEnd()) {
      await readSome()
      await sleep(Math.random() * 40)
    }
  }

  const ended = read()
  return {
    received,
    finish: async (revision) => {
      end = revision
      await ended
    },
  }
}

/** Writers in three processes, one of which is killed, and readers that reconnect. */
describe('the log of objects under many writers', () => {
  const planes = Array.from({ length: PLANES }, (_, index) => `plane-${index}`)
  let database: TestDatabase
  let stores: readonly OpenStore[]
  let readers: readonly { readonly plane: string; readonly reader: Reader }[]
  let errors: readonly string[]

  beforeAll(async () => {
    database = await createTestDatabase()
    stores = await Promise.all([openStore(database.url), openStore(database.url)])
    readers = [...stores, ...stores].flatMap(({ store }) =>
      planes.map((plane) => ({ plane, reader: startReader(store, plane) })),
    )
    const processes = Array.from({ length: PROCESSES }, () => startWriters(database.url))
    await written(MIN_WRITES / 2)
    processes[0]?.kill('SIGKILL')
    await written(MIN_WRITES)
    await Promise.all(processes.map((process) => process[Symbol.asyncDispose]()))
    errors = processes.map((process) => process.errors())
    await must(stores[0], 'a store').feed.sequencer.catchUp()
    await Promise.all(
      readers.map(async ({ plane, reader }) => reader.finish(await newestRevision(plane))),
    )
  })

  afterAll(async () => {
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
    await database[Symbol.asyncDispose]()
  })

  async function rows<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await must(stores[0], 'a store').database.pool.query(text, [...values])).rows
  }

  async function written(count: number): Promise<void> {
    for (;;) {
      const [row] = await rows<{ sequence: bigint }>('select sequence from object_head')
      if (must(row, 'the head').sequence >= count) return
      await sleep(20)
    }
  }

  async function newestRevision(plane: string): Promise<bigint> {
    const [row] = await rows<{ revision: bigint }>('select revision from planes where plane = $1', [
      plane,
    ])
    return must(row, 'a plane').revision
  }

  test('has every change of a plane in the order of its revisions, without gaps', async () => {
    expect(errors).toEqual(errors.map(() => ''))
    for (const plane of planes) {
      const logged = await rows<{ revision: bigint }>(
        'select revision from object_changes where plane = $1 order by sequence',
        [plane],
      )
      const count = Number((await newestRevision(plane)) - START)
      const expected = Array.from({ length: count }, (_, index) => START + BigInt(index + 1))
      expect(logged.map(({ revision }) => revision)).toEqual(expected)
    }
  })

  test('sends every change once and in order to every follower', async () => {
    for (const { plane, reader } of readers) {
      const logged = await rows<{ revision: bigint }>(
        `select revision from object_changes where plane = $1 and resource = 'configmaps'
         order by revision`,
        [plane],
      )
      expect(reader.received).toEqual(logged.map(({ revision }) => revision))
    }
  })

  test('has the current state of every object as its last change', async () => {
    const differing = await rows(
      `select plane, resource, name from (
         select distinct on (plane, resource, name) plane, resource, name, type, revision, uid,
           body::jsonb as body
         from object_changes order by plane, resource, name, revision desc
       ) as last
       full join objects using (plane, resource, name)
       where (last.type = 'DELETED') is distinct from (objects.plane is null)
         or last.type <> 'DELETED' and (
           last.revision <> objects.revision or last.uid <> objects.uid
           or last.body <> objects.body)`,
    )
    expect(differing).toEqual([])
  })
})

function startWriters(url: string): Program {
  const file = 'test/planes/objects/object-writers.ts'
  return startNode(['--import', 'tsx', file, url, `${WRITERS}`, `${PLANES}`], {})
}
