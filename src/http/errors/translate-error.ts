import { FlotillaError } from '../../lib/errors.ts'
import { translateDatabaseError } from '../../core/storage/database/translate-database-error.ts'

/** Any failure as one of the table: what nobody expected is INT-001, and its words stay inside. */
export function translateError(error: unknown): FlotillaError {
  const translated = translateDatabaseError(error)
  if (translated instanceof FlotillaError) return translated
  // The router decodes path parameters and throws this where one is not encoded UTF-8.
  if (error instanceof URIError) {
    const detail = 'The path is not valid percent-encoded UTF-8'
    return new FlotillaError('VAL-000', detail, { cause: error })
  }
  const detail = 'The server failed to answer this request: its log says more under the trace_id'
  return new FlotillaError('INT-001', detail, { cause: error })
}
