import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from './chain.ts'
import type { Latencies } from './latencies.ts'
import { openStream, type Stream, type StreamEnd, type StreamEvent } from './open-stream.ts'
import { readList } from './read-list.ts'
import type { Member, ServerPair } from './server-pair.ts'
import { keyOf, type Shown, turnOf } from './shown.ts'
import type { Subject } from './subject.ts'

/** Keeps a copy of a list by what watches tell, over breaks and changes of servers. */
export interface Rebuilder {
  readonly subject: Subject
  readonly state: ReadonlyMap<string, Shown>
  readonly chain: Chain
  /** What it is after has been removed, and with it all that can be told. */
  readonly isGone: boolean
  readonly events: number
  /** Times that it has gone on with a token. */
  readonly resumes: number
  /** From now on it stays on its connection. */
  settle(): void
  /** Whether everything up to a revision has been told, or there is nothing any more to be told of. */
  hasReached(revision: number): boolean
  /** Ends it; rejects where it has failed. */
  stop(): Promise<void>
}

interface Options {
  readonly subject: Subject
  readonly servers: ServerPair
  readonly chain: Chain
  /** Whether it begins with a list and its token; with a watch that tells the state otherwise. */
  readonly beginsWithList: boolean
  readonly complain: (problem: string) => void
  /** Of one rebuilder alone, so that each write counts once. */
  readonly latencies: Latencies | null
}

/** For how long a connection is kept, on average. */
const LIFE_MS = 1500
/** Before a server that is gone is asked again. */
const PAUSE_MS = 100

export function startRebuilder(options: Options): Rebuilder {
  const { subject, servers, chain, complain, latencies } = options
  const stopping = new AbortController()
  const isStopped = (): boolean => stopping.signal.aborted
  let state = new Map<string, Shown>()
  let token: string | null = null
  let events = 0
  let resumes = 0
  let isSettling = false
  let isGone = false
  let isLeaving = false
  let stream: Stream | null = null

  const apply = (event: StreamEvent): void => {
    if (event.type === 'BOOKMARK') return
    events += 1
    if (event.type === 'DELETED') state.delete(keyOf(event.object))
    else state.set(keyOf(event.object), event.object)
  }

  const begin = async (): Promise<void> => {
    if (!options.beginsWithList) {
      state = new Map()
      return
    }
    const list = await readList(servers.any().client, subject)
    isGone = list === null
    state = list?.items ?? new Map<string, Shown>()
    token = list?.token ?? null
  }

  /** One connection, from its beginning to its end. */
  const follow = async (server: Member): Promise<StreamEnd> => {
    let liveSince = Number.POSITIVE_INFINITY
    isLeaving = false
    const opened = openStream({
      origin: server.origin,
      path: pathOf(subject, token),
      asServerSentEvents: Math.random() < 0.3,
      onEvent: (event, text) => {
        if (event.type === 'ERROR') complain(`an ERROR: ${text}`)
        if (event.type === 'ERROR') return
        apply(event)
        if (event.resource_version !== '') {
          chain.judge(event, text)
          token = event.resource_version
          const turn = turnOf(event.object)
          if (turn !== null) {
            latencies?.told({ id: keyOf(event.object), turn, server: server.number }, liveSince)
          }
        }
        if (event.type === 'BOOKMARK') liveSince = Math.min(liveSince, performance.now())
        // In the middle of what has come: the rest of it is thrown away, and told again.
        if (isLeaving && !isSettling && Math.random() < 0.3) opened.breakOff()
      },
    })
    stream = opened
    const life = setTimeout(() => (isLeaving = true), -Math.log(Math.random()) * LIFE_MS)
    const end = await opened.ended
    clearTimeout(life)
    return end
  }

  const run = async (): Promise<void> => {
    let server = servers.any()
    while (!isStopped() && !isGone) {
      if (token === null) {
        const found = await begin().catch(() => null)
        if (found === null) await sleep(PAUSE_MS)
        if (found === null || isGone) continue
      }
      if (token !== null) {
        chain.begin(token)
        resumes += 1
      }
      const end = await follow(server)
      if (end.reason === 'refused' && end.status === 404) {
        isGone = true
        state = new Map()
      } else if (end.reason === 'refused') complain(`refused with ${end.status}: ${end.text}`)
      if (end.reason === 'silent') complain('nothing was told for 20 s')
      if (end.reason !== 'whole') await sleep(Math.random() * PAUSE_MS)
      server = servers.otherThan(server.number)
    }
  }

  const running = run()
  // A failure is seen where it is stopped.
  running.catch(() => undefined)
  return {
    subject,
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
    settle: () => void (isSettling = true),
    hasReached: (revision) => isGone || chain.position >= revision,
    stop: async () => {
      stopping.abort()
      stream?.breakOff()
      await running
    },
  }
}

function pathOf({ path, search }: Subject, token: string | null): string {
  const query = new URLSearchParams({ watch: 'true' })
  if (search !== '') query.set('search', search)
  if (token !== null) query.set('resourceVersion', token)
  return `${path}?${query.toString()}`
}
