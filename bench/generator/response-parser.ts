/** The parts of a response that the load generator uses. */
export interface ParsedResponse {
  readonly status: number
  /** Size of the body. */
  readonly bytes: number
  /** The start of the body if the status is 300 or above, else empty. */
  readonly text: string
}

/** An incremental parser of HTTP/1.1 responses that discards the bodies of successful ones. */
export interface ResponseParser {
  /** Throws if the bytes are not an HTTP/1.1 response with a length. */
  feed(chunk: Buffer): void
}

type State = 'head' | 'body' | 'chunk-size' | 'chunk' | 'trailer'

const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'
const MAX_TEXT_LENGTH = 2000
const MAX_HEAD_LENGTH = 64 * 1024

export function createResponseParser(
  onResponse: (response: ParsedResponse) => void,
): ResponseParser {
  let state: State = 'head'
  let pending = ''
  let remaining = 0
  let status = 0
  let bytes = 0
  let text = ''

  const finish = (): void => {
    state = 'head'
    onResponse({ status, bytes, text })
  }

  const readHead = (head: string): void => {
    status = statusOf(head)
    bytes = 0
    text = ''
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length !== undefined) {
      remaining = Number(length)
      state = 'body'
      if (remaining === 0) finish()
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      state = 'chunk-size'
    } else if (status === 204 || status === 304) {
      finish()
    } else {
      throw new Error(`response without a length: ${head.slice(0, 300)}`)
    }
  }

  /**
   * The text up to a delimiter, including text pending from earlier chunks, and the offset after the
   * delimiter. Null if the delimiter has not arrived.
   */
  const textUntil = (delimiter: string, chunk: Buffer, start: number): [string, number] | null => {
    const found = pending === '' ? chunk.indexOf(delimiter, start, 'latin1') : -1
    if (found >= 0) return [chunk.toString('latin1', start, found), found + delimiter.length]
    const before = pending.length
    pending += chunk.toString('latin1', start)
    const at = pending.indexOf(delimiter)
    if (at < 0) {
      if (pending.length > MAX_HEAD_LENGTH) throw new Error('response head is too long')
      return null
    }
    const whole = pending.slice(0, at)
    pending = ''
    return [whole, start + at + delimiter.length - before]
  }

  /** Consumes part of a body and returns the offset after it. */
  const consume = (chunk: Buffer, start: number): number => {
    const end = Math.min(chunk.length, start + remaining)
    remaining -= end - start
    bytes += end - start
    if (status >= 300 && text.length < MAX_TEXT_LENGTH) text += chunk.toString('latin1', start, end)
    return end
  }

  const step: Readonly<Record<State, (chunk: Buffer, start: number) => number>> = {
    head: (chunk, start) => {
      const found = textUntil(HEAD_END, chunk, start)
      if (found === null) return chunk.length
      readHead(found[0])
      return found[1]
    },
    body: (chunk, start) => {
      const end = consume(chunk, start)
      if (remaining === 0) finish()
      return end
    },
    'chunk-size': (chunk, start) => {
      const found = textUntil(LINE_END, chunk, start)
      if (found === null) return chunk.length
      const size = Number.parseInt(found[0], 16)
      if (Number.isNaN(size)) throw new Error(`invalid chunk size: '${found[0].slice(0, 50)}'`)
      // Includes the line end after the data, which is not part of the body.
      remaining = size === 0 ? 0 : size + LINE_END.length
      state = size === 0 ? 'trailer' : 'chunk'
      return found[1]
    },
    chunk: (chunk, start) => {
      const end = consume(chunk, start)
      if (remaining === 0) {
        bytes -= LINE_END.length
        state = 'chunk-size'
      }
      return end
    },
    trailer: (chunk, start) => {
      const found = textUntil(LINE_END, chunk, start)
      if (found === null) return chunk.length
      if (found[0] === '') finish()
      return found[1]
    },
  }

  return {
    feed: (chunk) => {
      let at = 0
      while (at < chunk.length) at = step[state](chunk, at)
    },
  }
}

function statusOf(head: string): number {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
  if (status === undefined) throw new Error(`not an HTTP/1.1 response: '${head.slice(0, 100)}'`)
  return Number(status)
}
