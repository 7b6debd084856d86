import { setTimeout as sleep } from 'node:timers/promises'
import type { WatchChain } from './watch-chain.ts'
import type { Latencies } from './latencies.ts'
import { openWatch, type OpenWatch, type WatchEnd, type WatchEvent } from './open-watch.ts'
import { readList } from './read-list.ts'
import type { PairedServer, ServerPair } from './server-pair.ts'
import { keyOf, type WireObject, sequenceOf } from './wire-object.ts'
import type { WatchedList } from './watched-list.ts'

/** Maintains a copy of a list from watch events, across disconnects and changes of server. */
export interface Rebuilder {
  readonly list: WatchedList
  readonly state: ReadonlyMap<string, WireObject>
  readonly chain: WatchChain
  /** Whether the parent of the list was deleted. */
  readonly isGone: boolean
  readonly events: number
  /** Number of watches that started from a resource version. */
  readonly resumes: number
  /** Stops the random disconnects. */
  stayConnected(): void
  /** Whether all events up to a revision have arrived, or the list is gone. */
  hasReached(revision: number): boolean
  /** Stops it. Rejects if it failed. */
  stop(): Promise<void>
}

interface Options {
  readonly list: WatchedList
  readonly servers: ServerPair
  readonly chain: WatchChain
  /** Start from a list instead of a watch that first sends the existing objects. */
  readonly startsWithList: boolean
  readonly complain: (problem: string) => void
  /** Set for one rebuilder only, so that each write counts once. */
  readonly latencies: Latencies | null
}

/** Mean time until a random disconnect. */
const MEAN_CONNECTION_MS = 1500
const RETRY_DELAY_MS = 100
/** Share of events after which a due disconnect happens, so that it cuts off buffered events. */
const DISCONNECT_PROBABILITY = 0.3

export function startRebuilder(options: Options): Rebuilder {
  const { list, servers, chain, complain, latencies } = options
  const stopping = new AbortController()
  const isStopped = (): boolean => stopping.signal.aborted
  let state = new Map<string, WireObject>()
  let resourceVersion: string | null = null
  let events = 0
  let resumes = 0
  let isStaying = false
  let isGone = false
  let isLeaving = false
  let stream: OpenWatch | null = null

  const apply = (event: WatchEvent): void => {
    if (event.type === 'BOOKMARK') return
    events += 1
    if (event.type === 'DELETED') state.delete(keyOf(event.object))
    else state.set(keyOf(event.object), event.object)
  }

  const begin = async (): Promise<void> => {
    if (!options.startsWithList) {
      state = new Map()
      return
    }
    const contents = await readList(servers.any().client, list)
    isGone = contents === null
    state = contents?.items ?? new Map<string, WireObject>()
    resourceVersion = contents?.resourceVersion ?? null
  }

  /** Applies the events of one connection until it ends. */
  const follow = async (server: PairedServer): Promise<WatchEnd> => {
    let liveSince = Number.POSITIVE_INFINITY
    isLeaving = false
    const opened = openWatch({
      origin: server.origin,
      path: pathOf(list, resourceVersion),
      asServerSentEvents: Math.random() < 0.3,
      onEvent: (event, text) => {
        if (event.type === 'ERROR') complain(`an ERROR event: ${text}`)
        if (event.type === 'ERROR') return
        apply(event)
        if (event.resource_version !== '') {
          chain.check(event, text)
          resourceVersion = event.resource_version
          const sequence = sequenceOf(event.object)
          if (sequence !== null) {
            latencies?.delivered(
              { id: keyOf(event.object), sequence, server: server.number },
              liveSince,
            )
          }
        }
        if (event.type === 'BOOKMARK') liveSince = Math.min(liveSince, performance.now())
        // Discards the rest of the received events, which the next connection must send again.
        if (isLeaving && !isStaying && Math.random() < DISCONNECT_PROBABILITY) opened.disconnect()
      },
    })
    stream = opened
    const delay = -Math.log(Math.random()) * MEAN_CONNECTION_MS
    const timer = setTimeout(() => (isLeaving = true), delay)
    const end = await opened.ended
    clearTimeout(timer)
    return end
  }

  const run = async (): Promise<void> => {
    let server = servers.any()
    while (!isStopped() && !isGone) {
      if (resourceVersion === null) {
        const found = await begin().catch(() => null)
        if (found === null) await sleep(RETRY_DELAY_MS)
        if (found === null || isGone) continue
      }
      if (resourceVersion !== null) {
        chain.begin(resourceVersion)
        resumes += 1
      }
      const end = await follow(server)
      if (end.reason === 'rejected' && end.status === 404) {
        isGone = true
        state = new Map()
      } else if (end.reason === 'rejected') complain(`rejected with ${end.status}: ${end.text}`)
      if (end.reason === 'timed-out') complain('no data for 20 s')
      if (end.reason !== 'completed') await sleep(Math.random() * RETRY_DELAY_MS)
      server = servers.otherThan(server.number)
    }
  }

  const running = run()
  // stop() reports a failure.
  running.catch(() => undefined)
  return {
    list,
    chain,
    get isGone() {
      return isGone
    },
    get state() {
      return state
    },
    get events() {
      return events
    },
    get resumes() {
      return resumes
    },
    stayConnected: () => void (isStaying = true),
    hasReached: (revision) => isGone || chain.revision >= revision,
    stop: async () => {
      stopping.abort()
      stream?.disconnect()
      await running
    },
  }
}

function pathOf({ path, search }: WatchedList, resourceVersion: string | null): string {
  const query = new URLSearchParams({ watch: 'true' })
  if (search !== '') query.set('search', search)
  if (resourceVersion !== null) query.set('resourceVersion', resourceVersion)
  return `${path}?${query.toString()}`
}
