import { CliError } from '../errors/cli-error.ts'

/** The error of a wait that took too long. */
export function timedOut(message: string, details: readonly string[] = []): CliError {
  return new CliError(message, {
    exit: 'timedOut',
    details: details.map((detail) => `  ${detail}`),
    hint: 'The change itself stays. Allow more time with --timeout.',
  })
}
