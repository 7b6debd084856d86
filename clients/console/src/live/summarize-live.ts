import type { StreamState } from './live-board.ts'

/** Whether the page is current. */
export interface LiveSummary {
  readonly state: 'idle' | 'connecting' | 'live' | 'behind' | 'reconnecting' | 'offline' | 'paused'
  /** Since when the page is not current, in milliseconds; null while it is. */
  readonly since: number | null
  /** The reason of a failure. */
  readonly message: string | null
}

interface Circumstances {
  readonly now: number
  readonly isOnline: boolean
}

/** Two heartbeats of the server without an event, less a second. */
const SILENCE_MS = 29_000

/** Summarizes all streams of the tab: the worst state counts. */
export function summarizeLive(
  streams: readonly StreamState[],
  { now, isOnline }: Circumstances,
): LiveSummary {
  if (streams.length === 0) return { state: 'idle', since: null, message: null }
  const problem = worstOf(streams, now)
  if (problem !== null && !isOnline) return { ...problem, state: 'offline' }
  return problem ?? { state: 'live', since: null, message: null }
}

function worstOf(streams: readonly StreamState[], now: number): LiveSummary | null {
  for (const stream of streams) {
    if (stream.state !== 'failed') continue
    return { state: 'behind', since: null, message: stream.message }
  }
  for (const stream of streams) {
    if (stream.state !== 'reconnecting') continue
    return { state: 'reconnecting', since: stream.since, message: null }
  }
  for (const stream of streams) {
    if (stream.state !== 'live' || now - stream.heard < SILENCE_MS) continue
    return { state: 'behind', since: stream.heard, message: null }
  }
  for (const { state } of streams) {
    if (state === 'connecting' || state === 'paused') return { state, since: null, message: null }
  }
  return null
}
