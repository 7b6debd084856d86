import assert from 'node:assert/strict'
import { Client } from '../../../clients/typescript/src/index.ts'
import { startProgram } from '../../process/program.ts'
import { NO_ADAPTERS, withDatabase } from '../typescript-sdk/with-database.ts'

const PLANES = 200
const READERS = 32
const WRITERS = 16
/** Holds a few subtrees, so that most snapshots read theirs while changes wait in the outbox. */
const CACHE_BYTES = '200000'

/**
 * Reads the newest snapshots of planes while writers change all of them. Every snapshot contains
 * the object that its plane has had from the start; a timeout is repeated.
 */
export async function readUnderLoad(
  snapshots: number,
  print: (line: string) => void,
): Promise<void> {
  await withDatabase(async (DATABASE_URL) => {
    const env = { DATABASE_URL, ...NO_ADAPTERS, ROLE: 'api', CACHE_BYTES }
    await using server = startProgram(env)
    const client = new Client(`http://127.0.0.1:${(await server.ready()).port}`, {
      timeout: 30_000,
    })
    const names = Array.from({ length: PLANES }, (_, index) => `p-${index}`)
    await each(names, (name) => createPlane(client, name))
    const stopped = new AbortController()
    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => write(client, names, writer, stopped.signal)),
    )
    try {
      const targets = Array.from({ length: snapshots }, (_, index) => nameAt(names, index * 7))
      await each(targets, (name, index) => verifySnapshot(client, name, index))
    } finally {
      stopped.abort()
    }
    const written = (await writing).reduce((sum, count) => sum + count, 0)
    print(`  ${snapshots} snapshots during ${written} writes, 0 incomplete`)
  })
}

async function createPlane(client: Client, name: string): Promise<void> {
  await client.clusters.create({ name })
  await client.plane(name).request({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: { metadata: { name: 'settings' } },
  })
}

/** Changes clusters until the signal aborts, and returns the number of writes. */
async function write(
  client: Client,
  names: readonly string[],
  writer: number,
  stopped: AbortSignal,
): Promise<number> {
  let written = 0
  for (; !stopped.aborted; written += 1) {
    const name = nameAt(names, writer + written * WRITERS)
    await client.clusters.upsert({ name, spec: { written }, labels: { writer: `${writer}` } })
  }
  return written
}

async function verifySnapshot(client: Client, name: string, index: number): Promise<void> {
  const selected = index % 2 === 0 ? { resource: 'configmaps' } : {}
  const snapshot = await client.plane(name).state({ ...selected, minResourceVersion: 'latest' })
  assert.equal(snapshot.byResource('configmaps')?.itemCount, 1, `snapshot ${index} lacks an object`)
  if (index % 2 === 1) assert.equal(snapshot.byResource('clusters')?.itemCount, 1)
}

function nameAt(names: readonly string[], index: number): string {
  return names[index % names.length] ?? ''
}

/** Runs a task for each item, with READERS at the same time. */
async function each<Item>(
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      for (const [index, item] of queue) await run(item, index)
    }),
  )
}
