import { FlotillaError, type Reason } from '../../lib/errors.ts'

interface Options {
  readonly cause?: unknown
  /** Sent with the error response: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>
}

/** An error whose response needs additional headers. */
export class HttpError extends FlotillaError {
  readonly headers: Readonly<Record<string, string>>

  constructor(reason: Reason, detail: string, { cause, headers }: Options) {
    super(reason, detail, { cause })
    this.headers = headers
  }
}

/** The additional headers of the response to an error. */
export function headersOf(error: FlotillaError): Readonly<Record<string, string>> {
  return error instanceof HttpError ? error.headers : {}
}
