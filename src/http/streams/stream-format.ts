import type { Request } from 'express'

/** How a stream frames its events. */
export interface StreamFormat {
  readonly name: 'lines' | 'events'
  readonly contentType: string
  /** Frames the JSON of one event. A client can resume after `resourceVersion`; null for none. */
  readonly frame: (json: string, resourceVersion: string | null) => string
  /** Text without content that keeps a connection alive; null if the format has none. */
  readonly keepAlive: string | null
}

/** One JSON object per line. */
export const JSON_LINES: StreamFormat = Object.freeze<StreamFormat>({
  name: 'lines',
  contentType: 'application/x-ndjson',
  frame: (json) => `${json}\n`,
  keepAlive: null,
})

/** Server-sent events. The JSON has no line breaks, so each event has one `data` line. */
export const EVENT_STREAM: StreamFormat = Object.freeze<StreamFormat>({
  name: 'events',
  contentType: 'text/event-stream',
  frame: (json, resourceVersion) =>
    `${resourceVersion === null ? '' : `id: ${resourceVersion}\n`}data: ${json}\n\n`,
  keepAlive: ':\n\n',
})

/** By content type. Clients may also accept a type with its charset: both formats are UTF-8. */
const BY_TYPE = new Map(
  [JSON_LINES, EVENT_STREAM].flatMap((format) => [
    [format.contentType, format],
    [`${format.contentType};charset=utf-8`, format],
  ]),
)

/** The format that the request prefers; JSON lines if it has no preference. */
export function formatOf(request: Request): StreamFormat {
  const accepted = request.accepts([...BY_TYPE.keys()])
  return (accepted !== false && BY_TYPE.get(accepted)) || JSON_LINES
}
