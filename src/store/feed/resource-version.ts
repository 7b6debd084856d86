import { FlotillaError } from '../../lib/errors.ts'

/** A revision of the log as clients see it: `<epoch>.<revision>`. */
export interface ResourceVersion {
  readonly epoch: string
  readonly revision: bigint
}

const FORM = /^([0-9a-f]{8})\.(0|[1-9]\d{0,17})$/

/** The resource version as text. */
export function formatResourceVersion({ epoch, revision }: ResourceVersion): string {
  return `${epoch}.${revision}`
}

/** Parses a resource version; null if the text is not one. */
export function parseResourceVersion(text: string): ResourceVersion | null {
  const [, epoch, revision] = FORM.exec(text) ?? []
  if (epoch === undefined || revision === undefined) return null
  return { epoch, revision: BigInt(revision) }
}

/** The error for a resource version whose following changes are gone. */
export function resourceVersionExpired(): FlotillaError {
  return new FlotillaError(
    'expired',
    'The resource version is older than the log of changes, or of another database: list again, and watch from there',
  )
}

/** The error if this process has not read the log to its end in time. */
export function olderThanLog(): FlotillaError {
  return new FlotillaError('timeout', 'This server is behind the log of changes: try again')
}
