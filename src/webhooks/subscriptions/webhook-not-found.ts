import { notFound, type FlotillaError } from '../../lib/errors.ts'

/** The error of a request for a webhook that does not exist. */
export function webhookNotFound(id: string): FlotillaError {
  return notFound('Webhook', id)
}
