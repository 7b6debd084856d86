import { CliError } from '../errors/cli-error.ts'

const CONTINUES = 'The change itself stays. Allow more time with --timeout.'

/** The error of a wait that took too long. */
export function timedOut(
  message: string,
  details: readonly string[] = [],
  hint: string = CONTINUES,
): CliError {
  return new CliError(message, {
    exit: 'timedOut',
    details: details.map((detail) => `  ${detail}`),
    hint,
  })
}
