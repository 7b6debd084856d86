import { randomBytes } from 'node:crypto'

/** Names a write of one process: `<epoch>.w<process>.<number>`. Clients treat it as opaque. */
export interface WriteToken {
  readonly epoch: string
  /** The process that made the write. */
  readonly process: string
  /** Later writes of the same process have greater numbers. */
  readonly number: number
}

const FORM = /^([0-9a-f]{8})\.w([0-9a-f]{8})\.([1-9]\d{0,14})$/

/** Parses a write token; null if the text is not one. */
export function parseWriteToken(text: string): WriteToken | null {
  const [, epoch, process, number] = FORM.exec(text) ?? []
  if (epoch === undefined || process === undefined || number === undefined) return null
  return { epoch, process, number: Number(number) }
}

/** The most processes whose writes are recorded. */
const MAX_PROCESSES = 1000

/** Issues the write tokens of one process, and records which writes of others it has reached. */
export interface WriteTokens {
  /** Returns a token for a write that has just been committed. */
  issue(epoch: string): string
  /**
   * A revision that includes the write, if this process has reached it or a later write of the same
   * process; else null.
   */
  reachedRevision(token: WriteToken): bigint | null
  /**
   * The newest write that must be committed when a client presents this token: the last one issued
   * if the token is from this process, otherwise the write of the token.
   */
  newestWith(token: WriteToken): WriteToken
  /** Records that this process has reached the write at a revision. */
  reached(token: WriteToken, revision: bigint): void
}

/**
 * A token is issued after the commit of its write. A state that includes all commits before the
 * token is presented therefore includes the write, whose revision need not be known.
 */
export function createWriteTokens(): WriteTokens {
  const own = randomBytes(4).toString('hex')
  let issued = 0
  /** The newest write by epoch and process, least recently used first. */
  const newest = new Map<string, { readonly number: number; readonly revision: bigint }>()
  const keyOf = ({ epoch, process }: WriteToken): string => `${epoch}.${process}`
  return {
    issue: (epoch) => {
      issued += 1
      return `${epoch}.w${own}.${issued}`
    },
    reachedRevision: (token) => {
      const reached = newest.get(keyOf(token))
      return reached !== undefined && reached.number >= token.number ? reached.revision : null
    },
    newestWith: (token) => (token.process === own ? { ...token, number: issued } : token),
    reached: (token, revision) => {
      const key = keyOf(token)
      const { number } = token
      const before = newest.get(key)
      newest.delete(key)
      newest.set(
        key,
        before !== undefined && before.number > number ? before : { number, revision },
      )
      const [oldest] = newest.keys()
      if (newest.size > MAX_PROCESSES && oldest !== undefined) newest.delete(oldest)
    },
  }
}
