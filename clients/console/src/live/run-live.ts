import { ApiError } from '../../../typescript/src/errors/api-error.ts'
import { sleep } from '../../../typescript/src/http/sleep.ts'
import { describeError } from '../design/states/describe-error.ts'
import { Batcher, BROWSER_TIMER } from './batcher.ts'
import type { StreamState } from './live-board.ts'
import type { LiveSource } from './live-source.ts'
import type { StreamTurns } from './stream-turns.ts'
import type { WatchEvent } from '../../../typescript/src/watch/watch-event.ts'

const BATCH_MS = 250
const RETRY_MS = 3000
/** Errors that a repetition cannot fix. */
const FINAL = [400, 403, 404, 405]

interface LiveRun {
  readonly signal: AbortSignal
  /** The version to resume after; undefined for the first start. */
  readonly version: string | undefined
  readonly report: (state: StreamState) => void
  /** Receives the version to resume after. */
  readonly onVersion: (version: string) => void
  readonly turns: StreamTurns
}

/**
 * Keeps the stream of a page open until the signal aborts, across failures of any length. If other
 * windows wait for a connection, they take turns. A window without a turn keeps its last state, and
 * gets the changes that it missed with its next turn.
 */
export async function runLive<T>(source: LiveSource<T>, run: LiveRun): Promise<void> {
  const { signal, report, turns } = run
  const batcher = new Batcher<WatchEvent<T>>({
    intervalMs: BATCH_MS,
    timer: BROWSER_TIMER,
    onBatch: source.onBatch,
  })
  signal.addEventListener('abort', () => batcher.stop())
  report({ state: 'connecting' })
  const stream: Stream<T> = { source, run, batcher, position: { version: run.version } }
  const end = { isFinal: false }
  while (!signal.aborted && !end.isFinal) {
    await turns.take(signal, async () => {
      const turn = new AbortController()
      const stopSignal = AbortSignal.any([signal, turn.signal])
      end.isFinal = await readUntilStopped(stream, stopSignal, () => turns.endWhenWanted(turn))
      turn.abort()
      if (!signal.aborted) batcher.flush()
    })
  }
}

interface Stream<T> {
  readonly source: LiveSource<T>
  readonly run: LiveRun
  readonly batcher: Batcher<WatchEvent<T>>
  readonly position: { version: string | undefined }
}

/** Returns whether the stream has failed for good. `onSettled` follows the first answer or failure. */
async function readUntilStopped<T>(
  stream: Stream<T>,
  signal: AbortSignal,
  onSettled: () => void,
): Promise<boolean> {
  const { report } = stream.run
  let isSettled = false
  const settle = (state: StreamState) => {
    report(state)
    if (!isSettled) onSettled()
    isSettled = true
  }
  while (!signal.aborted) {
    try {
      await readEvents(stream, signal, settle)
    } catch (error) {
      if (signal.aborted) return false
      if (error instanceof ApiError && FINAL.includes(error.status)) {
        report({ state: 'failed', message: describeError(error).message })
        return true
      }
      settle({ state: 'reconnecting', since: Date.now() })
    }
    await sleep(RETRY_MS, signal).catch(() => undefined)
  }
  return false
}

async function readEvents<T>(
  stream: Stream<T>,
  signal: AbortSignal,
  settle: (state: StreamState) => void,
): Promise<void> {
  const { source, run, batcher, position } = stream
  const advance = (version: string) => {
    position.version = version
    run.onVersion(version)
  }
  const onRetry = () => settle({ state: 'reconnecting', since: Date.now() })
  const onConnect = () => settle({ state: 'live', heard: Date.now() })
  const { version: resourceVersion } = position
  const events = source.open({ signal, resourceVersion, onRetry, onConnect })
  for await (const event of events) {
    run.report({ state: 'live', heard: Date.now() })
    if (event.type === 'RESET' && source.onReset !== undefined) {
      batcher.stop()
      advance(await source.onReset(signal))
      return await readEvents(stream, signal, settle)
    }
    if (event.resourceVersion !== '') advance(event.resourceVersion)
    if (event.type !== 'BOOKMARK') batcher.add(event)
  }
}
