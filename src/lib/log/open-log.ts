import { isatty } from 'node:tty'
import pino, { type Logger } from 'pino'
import { inBatches, type LogSink } from './log-batches.ts'
import { openStandardOutput } from './log-outlet.ts'
import { createLogSink } from './log-sink.ts'
import { logTime } from './log-time.ts'
import { loadPrettyFormat } from './pretty-lines.ts'

export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const

interface Settings {
  readonly logLevel: string
  /** `auto` is `pretty` on a terminal, else `json`. */
  readonly logFormat: (typeof LOG_FORMATS)[number]
}

/** The log of this process, on standard output. */
interface OpenLog {
  readonly log: Logger
  /** Lines that could not be written so far. */
  readonly lostLines: () => number
  /** Waits for a while until all lines are written. */
  readonly flush: () => Promise<void>
}

export async function openLog({ logLevel, logFormat }: Settings): Promise<OpenLog> {
  const sink = createLogSink({
    outlet: openStandardOutput(),
    onFailure: ({ message }) => {
      console.error(`the log cannot be written (${message}): the server goes on without it`)
    },
  })
  const destination = inBatches(sink)
  // After a crash too: the last lines explain it.
  process.on('exit', () => destination.flushSync())
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isatty(1))
  const lines = isPretty ? await prettified(destination) : destination
  return {
    log: pino({ level: logLevel, base: null, timestamp: logTime }, lines),
    lostLines: () => sink.lostLines,
    flush: () => destination.flush(),
  }
}

async function prettified(sink: LogSink): Promise<LogSink> {
  const format = await loadPrettyFormat(isatty(1))
  return { ...sink, write: (line) => sink.write(format(line)) }
}
