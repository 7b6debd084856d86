import { ApiError, WaitTimeout } from '../../../typescript/src/index.ts'
import type { Terminal } from '../output/terminal.ts'
import { visibleText } from '../output/visible-text.ts'
import { CliError } from './cli-error.ts'
import type { ExitCode } from './exit-codes.ts'
import { explainApiError } from './explain-api-error.ts'

interface Context {
  readonly err: Terminal
  /** Prints the stack of unexpected errors. */
  readonly verbose: boolean
}

/** Prints a failure and its remedy. Returns the exit code. */
export function reportError(error: unknown, { err, verbose }: Context): ExitCode {
  const known = explain(error)
  const { red, dim } = err.colors
  err.write(`${red('Error:')} ${visibleText(known.message, 'keep lines')}\n`)
  for (const line of known.details) err.write(`${visibleText(line)}\n`)
  if (known.hint !== null) err.write(`${dim('Hint:')} ${visibleText(known.hint)}\n`)
  if (verbose && known.cause instanceof Error) err.write(`${known.cause.stack ?? ''}\n`)
  return known.exitCode
}

function explain(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (error instanceof ApiError) return explainApiError(error)
  if (error instanceof WaitTimeout) {
    const hint = "'flotilla why KIND NAME' explains what it waits for; --timeout allows more time."
    return new CliError(error.message, { exit: 'timedOut', hint, cause: error })
  }
  const message = error instanceof Error ? error.message : String(error)
  return new CliError(message, { cause: error })
}
