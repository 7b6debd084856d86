import { ApiError } from '../../../typescript/src/errors/api-error.ts'
import { sleep } from '../../../typescript/src/http/sleep.ts'
import { describeError } from '../design/states/describe-error.ts'
import { Batcher, BROWSER_TIMER } from './batcher.ts'
import type { StreamState } from './live-board.ts'
import type { LiveSource } from './live-source.ts'
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
}

/** Keeps the stream of a page open until the signal aborts, across failures of any length. */
export async function runLive<T>(source: LiveSource<T>, run: LiveRun): Promise<void> {
  const { signal, report } = run
  const position = { version: run.version }
  const batcher = new Batcher<WatchEvent<T>>({
    intervalMs: BATCH_MS,
    timer: BROWSER_TIMER,
    onBatch: source.onBatch,
  })
  signal.addEventListener('abort', () => batcher.stop())
  report({ state: 'connecting' })
  while (!signal.aborted) {
    try {
      await readEvents(source, { run, batcher, position })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && FINAL.includes(error.status)) {
        report({ state: 'failed', message: describeError(error).message })
        return
      }
      report({ state: 'reconnecting', since: Date.now() })
    }
    await sleep(RETRY_MS, signal).catch(() => undefined)
  }
}

interface Reading<T> {
  readonly run: LiveRun
  readonly batcher: Batcher<WatchEvent<T>>
  readonly position: { version: string | undefined }
}

async function readEvents<T>(source: LiveSource<T>, reading: Reading<T>): Promise<void> {
  const { run, batcher, position } = reading
  const { signal, report } = run
  const onRetry = () => report({ state: 'reconnecting', since: Date.now() })
  const advance = (version: string) => {
    position.version = version
    run.onVersion(version)
  }
  const onConnect = () => report({ state: 'live', heard: Date.now() })
  const { version: resourceVersion } = position
  const events = source.open({ signal, resourceVersion, onRetry, onConnect })
  for await (const event of events) {
    report({ state: 'live', heard: Date.now() })
    if (event.type === 'RESET' && source.onReset !== undefined) {
      batcher.stop()
      advance(await source.onReset(signal))
      return await readEvents(source, reading)
    }
    if (event.resourceVersion !== '') advance(event.resourceVersion)
    if (event.type !== 'BOOKMARK') batcher.add(event)
  }
}
