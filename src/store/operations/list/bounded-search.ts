import { FlotillaError } from '../../../lib/errors.ts'
import { isStatementTimeout } from '../../database/translate-database-error.ts'
import type { Context } from '../context.ts'

/** Runs a search under the semaphore and the statement timeout. */
export async function boundedSearch<T extends object>(
  context: Pick<Context, 'searches' | 'onSearchRejected'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    const found = await context.searches.run(run)
    if (found !== null) return found
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    throw rejected(context, 'The search took too long', error)
  }
  throw rejected(context, 'Too many searches are running: try again')
}

function rejected(
  context: Pick<Context, 'onSearchRejected'>,
  problem: string,
  cause?: unknown,
): FlotillaError {
  context.onSearchRejected()
  const advice = 'narrow it with an equality on a label, the name or a condition'
  return new FlotillaError('too-many-requests', `${problem}; ${advice}`, { cause })
}
