/** An answer as far as the load generator looks at it. */
export interface ParsedAnswer {
  readonly status: number
  /** Bytes of the body. */
  readonly bytes: number
  /** The body, or its beginning, of an answer that is no success. */
  readonly text: string
}

/** Reads HTTP/1.1 answers from a connection and keeps nothing of a success but its size. */
export interface ResponseParser {
  /** Throws where the bytes are no HTTP/1.1 answer of known length. */
  feed(chunk: Buffer): void
}

type State = 'head' | 'body' | 'chunk-size' | 'chunk' | 'trailer'

const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'
const KEPT_TEXT = 2000
const LONGEST_HEAD = 64 * 1024

export function createResponseParser(onAnswer: (answer: ParsedAnswer) => void): ResponseParser {
  let state: State = 'head'
  let pending = ''
  let remaining = 0
  let status = 0
  let bytes = 0
  let text = ''

  const finish = (): void => {
    state = 'head'
    onAnswer({ status, bytes, text })
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
      throw new Error(`an answer without a length: ${head.slice(0, 300)}`)
    }
  }

  /** Text up to a mark, from this chunk and what came before it; null where the mark is missing. */
  const textUntil = (mark: string, chunk: Buffer, start: number): [string, number] | null => {
    const found = pending === '' ? chunk.indexOf(mark, start, 'latin1') : -1
    if (found >= 0) return [chunk.toString('latin1', start, found), found + mark.length]
    const before = pending.length
    pending += chunk.toString('latin1', start)
    const at = pending.indexOf(mark)
    if (at < 0) {
      if (pending.length > LONGEST_HEAD) throw new Error('a head that does not end')
      return null
    }
    const whole = pending.slice(0, at)
    pending = ''
    return [whole, start + at + mark.length - before]
  }

  /** Takes part of a body and returns where it ends. */
  const take = (chunk: Buffer, start: number): number => {
    const end = Math.min(chunk.length, start + remaining)
    remaining -= end - start
    bytes += end - start
    if (status >= 300 && text.length < KEPT_TEXT) text += chunk.toString('latin1', start, end)
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
      const end = take(chunk, start)
      if (remaining === 0) finish()
      return end
    },
    'chunk-size': (chunk, start) => {
      const found = textUntil(LINE_END, chunk, start)
      if (found === null) return chunk.length
      const size = Number.parseInt(found[0], 16)
      if (Number.isNaN(size)) throw new Error(`not the size of a chunk: '${found[0].slice(0, 50)}'`)
      // The line end after the data is counted with it and is not part of the body.
      remaining = size === 0 ? 0 : size + LINE_END.length
      state = size === 0 ? 'trailer' : 'chunk'
      return found[1]
    },
    chunk: (chunk, start) => {
      const end = take(chunk, start)
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
  if (status === undefined) throw new Error(`not an HTTP/1.1 answer: '${head.slice(0, 100)}'`)
  return Number(status)
}
