import { text } from 'node:stream/consumers'
import { EXIT } from '../errors/exit-codes.ts'
import { Interrupted } from '../errors/interrupted.ts'
import { openTerminal } from '../output/open-terminal.ts'
import { startTimer } from '../waiting/start-timer.ts'
import type { Runtime } from './runtime.ts'

/** The command as a process: its outputs, environment and signals. */
export function processRuntime(): Runtime {
  for (const stream of [process.stdout, process.stderr]) {
    // A closed pipe, such as that of `| head -1`, is no failure: the reader needs no more lines.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.refused)
    })
  }
  const { env } = process
  return {
    env,
    stdin: { isTty: process.stdin.isTTY, read: () => text(process.stdin) },
    out: openTerminal(process.stdout, env),
    err: openTerminal(process.stderr, env),
    now: Date.now,
    startTimer,
    signal: interruption(),
  }
}

/** Aborts at the first Ctrl-C. The second one ends a command that does not react. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort(new Interrupted('interrupted'))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return controller.signal
}
