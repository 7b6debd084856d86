/** A batch is written when it has about a hundred lines or its first line is 0.1 s old. */
const BATCH_CHARACTERS = 32_768
const MAX_DELAY_MS = 100

/** Receives log lines. */
export interface LogSink {
  write(lines: string): void
  /** Waits until all lines are written, or until the sink gives up. */
  flush(): Promise<void>
  /** Writes all lines before it returns, unless the sink gives up. */
  flushSync(): void
}

/**
 * Writes log lines in batches, because one write costs more than formatting several lines. Waiting
 * lines do not keep the process alive, so the owner of the log must flush it at the end.
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
      else timer ??= setTimeout(passOn, MAX_DELAY_MS).unref()
    },
    flush: () => {
      passOn()
      return sink.flush()
    },
    flushSync: () => {
      passOn()
      sink.flushSync()
    },
  }
}
