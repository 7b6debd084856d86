import type { RenderError } from '../errors/error-response.ts'

/** How an API serializes the events that every stream can send, as JSON text. */
export interface StreamEvents {
  /** All changes up to this resource version have been sent. */
  bookmark(resourceVersion: string): string
  /** The last event of a failed stream; null if the connection is closed without one. */
  error(body: object): string | null
  readonly renderError: RenderError
}
