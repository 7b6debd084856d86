import { FlotillaError } from '../../lib/errors.ts'

/** A place in the feed, as clients hold it: `<epoch>.<revision>`. */
export interface ResourceVersion {
  readonly epoch: string
  readonly revision: bigint
}

const FORM = /^([0-9a-f]{8})\.(0|[1-9]\d{0,17})$/

/** The text of a token. */
export function formatResourceVersion({ epoch, revision }: ResourceVersion): string {
  return `${epoch}.${revision}`
}

/** Reads a token; null where the text is none. */
export function parseResourceVersion(text: string): ResourceVersion | null {
  const [, epoch, revision] = FORM.exec(text) ?? []
  if (epoch === undefined || revision === undefined) return null
  return { epoch, revision: BigInt(revision) }
}

/** Says that changes since a token cannot be told any more. */
export function resourceVersionExpired(): FlotillaError {
  return new FlotillaError(
    'expired',
    'The resource version is older than the log of changes, or of another database: list again, and watch from there',
  )
}

/** Says that this process has not read the log as far as it goes. */
export function olderThanLog(): FlotillaError {
  return new FlotillaError('timeout', 'This server is behind the log of changes: try again')
}
