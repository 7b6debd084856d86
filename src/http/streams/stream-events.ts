import type { RenderError } from '../errors/error-response.ts'

/** How an API writes the events that a stream sends by itself, as JSON text. */
export interface StreamEvents {
  /** All changes up to this resource version have been sent. */
  bookmark(resourceVersion: string): string
  /** The last event of a stream that failed. */
  error(body: object): string
  readonly renderError: RenderError
}
