import type { WatchEvent } from '../../../typescript/src/index.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'
import type { PendingResource } from './pending-resource.ts'

/** IDs in the search of one watch. */
const CHUNK = 200

interface Watch {
  readonly resources: readonly PendingResource[]
  readonly signal: AbortSignal
  /** Receives every event of the resources; true ends the watch. */
  readonly onEvent: (event: WatchEvent<Resource>) => boolean
}

/** Watches resources by ID until the callback ends the watch. */
export async function watchResources({ client }: Session, watch: Watch): Promise<void> {
  const ended = new AbortController()
  const signal = AbortSignal.any([watch.signal, ended.signal])
  const follow = async (chunk: readonly PendingResource[]) => {
    const [first] = chunk
    if (first === undefined) return
    const search = `id in (${chunk.map(({ id }) => `'${id}'`).join(', ')})`
    const collection = client.collection<Resource>(first.target.plural)
    for await (const event of collection.watch({ search, signal })) {
      if (!watch.onEvent(event)) continue
      ended.abort()
      return
    }
  }
  try {
    await Promise.all(chunksOf(watch.resources).map(follow))
  } catch (error) {
    watch.signal.throwIfAborted()
    if (!ended.signal.aborted) throw error
  } finally {
    ended.abort()
  }
}

/** Resources of one kind in chunks. */
function chunksOf(resources: readonly PendingResource[]): readonly (readonly PendingResource[])[] {
  const plurals = new Set(resources.map(({ target }) => target.plural))
  return [...plurals].flatMap((plural) => {
    const own = resources.filter(({ target }) => target.plural === plural)
    const count = Math.ceil(own.length / CHUNK)
    return Array.from({ length: count }, (_, index) =>
      own.slice(index * CHUNK, (index + 1) * CHUNK),
    )
  })
}
