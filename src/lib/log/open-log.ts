import { isatty } from 'node:tty'
import pino, { type Logger } from 'pino'
import { inBatches, type LogSink } from './log-batches.ts'
import { type LogDestination, openStandardOutput } from './log-destination.ts'
import { createLogSink } from './log-sink.ts'
import { logTime } from './log-time.ts'
import { loadPrettyFormat } from './pretty-lines.ts'

export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const

interface Settings {
  readonly logLevel: string
  /** `auto` or null is `pretty` on a terminal, else `json`. */
  readonly logFormat: (typeof LOG_FORMATS)[number] | null
}

/** The log of this process. */
interface OpenLog {
  readonly log: Logger
  /** Writes lines that are complete. */
  readonly writeLines: (lines: string) => void
  /** Number of lines that could not be written. */
  readonly lostLines: () => number
  /** Waits until all lines are written, or until the destination has not accepted them in time. */
  readonly flush: () => Promise<void>
}

/** Opens the log of a program, on standard output by default. Call `flush` before the program ends. */
export async function openLog(
  { logLevel, logFormat }: Settings,
  output: LogDestination = openStandardOutput(),
): Promise<OpenLog> {
  const sink = createLogSink({
    destination: output,
    onFailure: ({ message }) => {
      console.error(`the log cannot be written (${message}): the server continues without it`)
    },
  })
  const destination = inBatches(sink)
  // This also covers a crash, which the last lines explain.
  process.on('exit', () => destination.flushSync())
  const isPretty = logFormat === 'pretty' || (logFormat !== 'json' && isatty(1))
  const lines = isPretty ? await prettified(destination) : destination
  return {
    log: pino({ level: logLevel, base: null, timestamp: logTime }, lines),
    writeLines: (text) => destination.write(text),
    lostLines: () => sink.lostLines,
    flush: () => destination.flush(),
  }
}

async function prettified(sink: LogSink): Promise<LogSink> {
  const format = await loadPrettyFormat(isatty(1))
  return { ...sink, write: (line) => sink.write(format(line)) }
}
