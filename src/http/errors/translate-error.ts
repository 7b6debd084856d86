import { translateDatabaseError } from '../../store/database/translate-database-error.ts'
import { FlotillaError } from '../../lib/errors.ts'

/** Turns any error into a FlotillaError. An unexpected one becomes `internal`, without its message. */
export function translateError(error: unknown): FlotillaError {
  const translated = translateDatabaseError(error)
  if (translated instanceof FlotillaError) return translated
  // The router decodes path parameters and throws this if one is not percent-encoded UTF-8.
  if (error instanceof URIError) {
    const detail = 'The path is not valid percent-encoded UTF-8'
    return new FlotillaError('invalid', detail, { cause: error })
  }
  const detail =
    'The server failed to process the request: its log has the cause under the trace_id'
  return new FlotillaError('internal', detail, { cause: error })
}
