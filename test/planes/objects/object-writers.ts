// A process that writes objects to a few planes until SIGTERM: creates, updates and removals of few
// keys by many writers, so that most writes race with others.
import { must } from '../../../src/lib/assert.ts'
import type { ObjectWrite } from '../../../src/store/objects/model/object-write.ts'
import { createOf, keyOf, removeOf, updateOf } from './object-writes.ts'
import { openStore } from './open-store.ts'

const [, , url, writers, planes] = process.argv
const open = await openStore(must(url, 'a database'))
const stopped = new AbortController()
process.once('SIGTERM', () => stopped.abort())

function pick(count: number): number {
  return Math.floor(Math.random() * count)
}

async function nextWrite(): Promise<ObjectWrite> {
  const resource = pick(3) === 0 ? 'secrets' : 'configmaps'
  const key = keyOf(`n${pick(10)}`, { plane: `plane-${pick(Number(planes))}`, resource })
  const object = await open.store.read(key)
  if (object === null) return createOf(key)
  return pick(10) === 0 ? removeOf(object) : updateOf(object, { data: { value: Math.random() } })
}

async function keepWriting(): Promise<void> {
  while (!stopped.signal.aborted) await open.store.write(await nextWrite())
}

await Promise.all(Array.from({ length: Number(writers) }, keepWriting))
await open[Symbol.asyncDispose]()
