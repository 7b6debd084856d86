import { FlotillaError, type Reason } from '../../lib/errors.ts'

interface Options {
  readonly cause?: unknown
  /** Sent with the error response: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>
}

/** A failure whose response needs headers. */
export class HttpError extends FlotillaError {
  readonly headers: Readonly<Record<string, string>>

  constructor(reason: Reason, detail: string, { cause, headers }: Options) {
    super(reason, detail, { cause })
    this.headers = headers
  }
}

/** The headers that the response to this failure needs. */
export function headersOf(error: FlotillaError): Readonly<Record<string, string>> {
  return error instanceof HttpError ? error.headers : {}
}
