import { FlotillaError } from '../../lib/errors.ts'
import type { Target } from './read-resource.ts'

/** The failure of a write that lost every race. */
export function keptChanging({ kind, id }: Target): FlotillaError {
  return new FlotillaError('conflict', `${kind.kind} with id='${id}' kept changing`)
}
