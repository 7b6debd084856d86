import { NotFound } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'

/** The result of a request about a webhook. A webhook or a delivery that is missing gets a hint. */
export async function existing<T>(result: Promise<T>): Promise<T> {
  return await result.catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error
    throw new CliError(error.message, {
      exit: 'notFound',
      hint: "'flotilla webhook list' lists the webhooks, and 'flotilla webhook deliveries ID' the deliveries of one.",
      cause: error,
    })
  })
}
