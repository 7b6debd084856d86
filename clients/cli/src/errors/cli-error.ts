import { EXIT, type ExitCode } from './exit-codes.ts'

interface CliErrorOptions extends ErrorOptions {
  /** The user's next step, as a sentence. */
  readonly hint?: string | undefined
  /** The default is `refused`. */
  readonly exit?: Exclude<keyof typeof EXIT, 'done'> | undefined
  /** More lines, such as the violations of a request. */
  readonly details?: readonly string[] | undefined
}

/** A failure that the command explains to its user. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly hint: string | null
  readonly exitCode: ExitCode
  readonly details: readonly string[]

  constructor(message: string, { hint, exit = 'refused', details, ...rest }: CliErrorOptions = {}) {
    super(message, rest)
    this.hint = hint ?? null
    this.exitCode = EXIT[exit]
    this.details = details ?? []
  }
}
