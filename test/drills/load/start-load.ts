import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadContext } from './cluster-writes.ts'
import { EventHistory } from './event-history.ts'
import { Ledger } from './ledger.ts'
import { createLoadClient } from './load-client.ts'
import { findLosses } from './find-losses.ts'
import { WatchVerifier } from './watch-verifier.ts'
import { runWriter } from './writer.ts'

export interface LoadOptions {
  /** The address for the next request or watch. It may change during the load. */
  readonly origin: () => string
  /** Prefix of all names, unique in the database. */
  readonly name: string
  readonly writers: number
  readonly watches: number
  /** Average pause of a writer between two operations. */
  readonly pauseMs: number
  readonly random?: () => number
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** A request without a response is lost after this time. */
  readonly timeoutMs?: number
  /** A watch without a line resumes after this time: at least two heartbeats. */
  readonly silenceMs?: number
  /** Time for the last requests to succeed. */
  readonly finishMs?: number
  /** Time for the watches to catch up after the last request; `finishMs` by default. */
  readonly catchUpMs?: number
}

/** The outcome of a load. */
export interface LoadResult {
  readonly ledger: Ledger
  readonly watches: readonly WatchVerifier[]
  /** Acknowledged writes that are missing at the end, or were missing from a read. */
  readonly losses: readonly string[]
  /** Events that a watch missed, repeated or sent in a wrong order. */
  readonly eventProblems: readonly string[]
  /** Different events that the watches received. */
  readonly events: number
}

/** Writers and watches of clusters whose state the ledger predicts. */
export interface Load {
  readonly ledger: Ledger
  readonly watches: readonly WatchVerifier[]
  /** Stops the writers, and waits until their requests in flight are decided. */
  stop(): Promise<void>
  /** Stops the writers, waits until the watches have all events, and compares ledger and server. */
  finish(): Promise<LoadResult>
}

const SAMPLE_MS = 100

/** Starts the watches, waits until they are synced, and starts the writers. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const { origin, name, headers = {}, random = Math.random, pauseMs } = options
  const { timeoutMs = 10_000, silenceMs = 5000, finishMs = 60_000 } = options
  const { catchUpMs = finishMs } = options
  const client = createLoadClient({ origin, timeoutMs, headers })
  const ledger = new Ledger()
  const history = new EventHistory()
  const deadline = new AbortController()
  const stopped = new AbortController()
  const ended = new AbortController()
  const context: LoadContext = { client, ledger, deadline: deadline.signal }
  const watches = Array.from(
    { length: options.watches },
    () => new WatchVerifier({ client, history, prefix: name, silenceMs, signal: ended.signal }),
  )
  while (!watches.every(({ isSynced }) => isSynced)) await sleep(SAMPLE_MS)
  const writing = Array.from({ length: options.writers }, (_, index) =>
    runWriter({
      ...context,
      prefix: `${name}-w${index}`,
      pauseMs,
      random,
      stopped: stopped.signal,
    }),
  )
  const stop = async (): Promise<void> => {
    stopped.abort()
    await Promise.all(writing)
  }
  return {
    ledger,
    watches,
    stop,
    finish: async () => {
      const timer = setTimeout(() => deadline.abort(), finishMs)
      await stop()
      const missing = await findLosses({ ...context, name })
      clearTimeout(timer)
      const missed = (): readonly string[] => [
        ...watches.flatMap((watch) => differences(watch, ledger)),
        // The last event of a watch can be a report, which changes no generation.
        ...history.missed(),
      ]
      const behind = await untilEmpty(missed, catchUpMs)
      ended.abort()
      await Promise.all(watches.map((watch) => watch.stopped()))
      client[Symbol.dispose]()
      return {
        ledger,
        watches,
        losses: [...ledger.losses, ...missing],
        eventProblems: [...watches.flatMap(({ violations }) => violations), ...behind],
        events: history.size,
      }
    },
  }
}

/** Waits until a list is empty. Returns the remaining items. */
async function untilEmpty(
  list: () => readonly string[],
  timeoutMs: number,
): Promise<readonly string[]> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const left = list()
    if (left.length === 0 || performance.now() > end) return left
    await sleep(SAMPLE_MS)
  }
}

/** The parts of the state of the ledger that a watch lacks. */
function differences({ clusters }: WatchVerifier, ledger: Ledger): readonly string[] {
  return [...ledger.clusters.values()].flatMap(({ id, name, generation, deletion }) => {
    if (id === null || deletion === 'attempted') return []
    const watched = clusters.get(id)
    if (deletion === 'acknowledged') {
      return watched === undefined ? [] : [`a watch lacks the deletion of ${name}`]
    }
    if (watched !== undefined && watched.generation >= generation) return []
    return [`a watch has generation ${watched?.generation} of ${name} instead of ${generation}`]
  })
}
