import { createInterface } from 'node:readline/promises'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'

/**
 * Asks before something is deleted, if a person can answer. Scripts, whose input is no terminal, and
 * users who gave `--yes` are not asked.
 */
export async function confirm(
  { stdin, err, signal }: Pick<Session, 'stdin' | 'err' | 'signal'>,
  question: string,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed || !stdin.isTty || !err.isTty) return
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  // In a prompt, the terminal sends Ctrl-C as a character.
  prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const answer = await prompt.question(`${question} [y/N] `, { signal })
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    prompt.close()
  }
  throw new CliError('nothing was changed', { hint: 'Answer y, or add --yes, to proceed.' })
}
