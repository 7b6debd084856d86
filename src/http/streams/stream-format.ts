import type { Request } from 'express'

/** How events stand in an answer that does not end. */
export interface StreamFormat {
  /** Tells formats apart. */
  readonly name: 'lines' | 'events'
  readonly contentType: string
  /** One event: its JSON, and the token to go on from behind it; null where there is none. */
  readonly frame: (json: string, token: string | null) => string
  /** What keeps a connection alive and says nothing; null where everything says something. */
  readonly comment: string | null
}

/** One JSON object per line. */
export const JSON_LINES: StreamFormat = Object.freeze<StreamFormat>({
  name: 'lines',
  contentType: 'application/x-ndjson',
  frame: (json) => `${json}\n`,
  comment: null,
})

/** Server-sent events; JSON has no line breaks, so one line of data takes it. */
export const EVENT_STREAM: StreamFormat = Object.freeze<StreamFormat>({
  name: 'events',
  contentType: 'text/event-stream',
  frame: (json, token) => `${token === null ? '' : `id: ${token}\n`}data: ${json}\n\n`,
  comment: ':\n\n',
})

/** A type that is accepted with a parameter is offered with it: both formats are UTF-8. */
const OFFERED = new Map(
  [JSON_LINES, EVENT_STREAM].flatMap((format) => [
    [format.contentType, format],
    [`${format.contentType};charset=utf-8`, format],
  ]),
)

/** What the request accepts, JSON lines where it does not care. */
export function formatOf(request: Request): StreamFormat {
  const accepted = request.accepts([...OFFERED.keys()])
  return (accepted !== false && OFFERED.get(accepted)) || JSON_LINES
}
