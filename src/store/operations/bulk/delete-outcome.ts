import type { FlotillaError } from '../../../lib/errors.ts'
import type { Resource } from '../../model/resource.ts'

/** The outcome of one resource of a bulk deletion. */
export type DeleteOutcome =
  /** The resource after the deletion, which may already be removed. */
  | { readonly status: 'deleted'; readonly resource: Resource }
  | { readonly status: 'failed'; readonly error: FlotillaError }
  /** The caller's `select` did not return its id. */
  | { readonly status: 'skipped' }
