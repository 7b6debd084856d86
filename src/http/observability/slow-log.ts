import { createRateLimiter } from '../../lib/rate-limiter.ts'
import type { Log } from '../../lib/log/log.ts'
import { currentContext } from '../../lib/tracing/request-context.ts'

/** A burst of slow statements is logged in part: the metric counts all of them. */
const LINES = { perSecond: 5, burst: 20 }
const MAX_SEARCH_LENGTH = 2048

interface Options {
  readonly log: Log
  /** The shortest time of a slow statement; 0 turns the log off. Read for each statement. */
  readonly thresholdMs: () => number
  /** Counts a slow statement. */
  readonly onSlow: (statement: string) => void
  readonly now?: () => number
}

/** Observes completed statements. */
// oxlint-disable-next-line max-params -- called for each statement: no object per call
type SlowLog = (name: string, seconds: number, succeeded: boolean, rows: number | null) => void

/**
 * Logs slow statements by their names, with the request that waited and its search in TSL. It never
 * logs the text of a statement or its values.
 */
export function createSlowLog({ log, thresholdMs, onSlow, now }: Options): SlowLog {
  const lines = createRateLimiter({ maxKeys: 1, ...(now && { now }) })
  let suppressed = 0
  // oxlint-disable-next-line max-params -- called for each statement: no object per call
  return (statement, seconds, succeeded, rows) => {
    const threshold = thresholdMs()
    if (threshold === 0 || seconds * 1000 < threshold) return
    onSlow(statement)
    if (lines.take('', LINES) > 0) {
      suppressed += 1
      return
    }
    log.warn(
      {
        statement,
        duration_ms: Math.round(seconds * 1e6) / 1e3,
        ...(rows !== null && { rows }),
        ...(!succeeded && { failed: true }),
        ...requestFields(),
        ...(suppressed > 0 && { suppressed_lines: suppressed }),
      },
      'slow statement',
    )
    suppressed = 0
  }
}

/** The request that waited for the statement. Of a batch, the first one. */
function requestFields(): Readonly<Record<string, unknown>> {
  const requests = currentContext()?.requests ?? []
  const [first] = requests
  if (first === undefined) return {}
  const { id, traceId, user, search } = first
  return {
    request_id: id,
    ...(traceId !== null && { trace_id: traceId }),
    ...(requests.length > 1 && { requests: requests.length }),
    ...(user !== null && { user }),
    ...(search !== null && { search: search.slice(0, MAX_SEARCH_LENGTH) }),
  }
}
