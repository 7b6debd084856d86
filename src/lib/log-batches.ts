/** Lines that go out together: about a hundred of them, or those of a tenth of a second. */
const BATCH_CHARACTERS = 32_768
const LONGEST_WAIT_MS = 100

/** What log lines are written to. */
export interface LogSink {
  write(lines: string): void
  /** Writes all that there is before it returns. */
  flushSync(): void
}

/**
 * Passes log lines on together: a write costs more than the making of several lines. What waits
 * keeps no process alive; its owner calls `flushSync` at the end.
 */
export function inBatches(sink: LogSink): LogSink {
  let waiting = ''
  let timer: NodeJS.Timeout | null = null

  function passOn(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const lines = waiting
    waiting = ''
    if (lines !== '') sink.write(lines)
  }

  return {
    write: (line) => {
      waiting += line
      if (waiting.length >= BATCH_CHARACTERS) passOn()
      else timer ??= setTimeout(passOn, LONGEST_WAIT_MS).unref()
    },
    flushSync: () => {
      passOn()
      sink.flushSync()
    },
  }
}
