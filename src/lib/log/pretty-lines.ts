/** The fields of a request's log line; see `record-request.ts`. */
interface RequestLine {
  readonly request_id?: unknown
  readonly method?: unknown
  readonly path?: unknown
  readonly status?: unknown
  readonly duration_ms?: unknown
  readonly code?: unknown
  readonly detail?: unknown
}

const REQUEST = 'request'
const REQUEST_FIELDS =
  'request_id,trace_id,method,route,path,status,duration_ms,user,aborted,streamed,code,detail'

/** Formats log lines for reading at a terminal. */
export async function loadPrettyFormat(colorize: boolean): Promise<(line: string) => string> {
  // Loaded on demand, because servers in production log JSON.
  const { default: pretty } = await import('pino-pretty')
  const common = { colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' }
  const formatLine = pretty.prettyFactory(common)
  const formatRequest = pretty.prettyFactory({
    ...common,
    ignore: REQUEST_FIELDS,
    messageFormat: (line) => requestText(line),
  })
  return (line) => {
    const value: unknown = JSON.parse(line)
    return isRequest(value) ? formatRequest(value) : formatLine(value)
  }
}

function isRequest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'msg' in value && value.msg === REQUEST
}

/** `POST /ships 201 3.4 ms`; a failure adds its code, detail and request id. */
function requestText(line: RequestLine): string {
  const { method, path, status, duration_ms, code, detail, request_id } = line
  const parts = [method, path, status, duration_ms, 'ms']
  if (code !== undefined) parts.push(code)
  if (detail !== undefined) parts.push(detail)
  if (code !== undefined) parts.push(`(request ${String(request_id)})`)
  // Clients choose paths and ids: their control characters must not reach a terminal.
  return parts
    .map(String)
    .join(' ')
    .replaceAll(/\p{Cc}/gu, '\ufffd')
}
