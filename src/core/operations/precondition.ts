import { FlotillaError } from '../../lib/errors.ts'
import type { Resource } from '../model/resource.ts'

/** Whether a write is still wanted, given the resource as it is; null where it always is. */
export type Precondition = ((resource: Resource) => boolean) | null

/** CNF-002 (412) where the resource is not what the caller expects it to be. */
export function requireMatch(precondition: Precondition, resource: Resource): void {
  if (precondition === null || precondition(resource)) return
  const { kind, id, version } = resource
  throw new FlotillaError(
    'CNF-002',
    `${kind} with id='${id}' has changed: it is at version ${version}; read it and decide anew`,
    { status: 412 },
  )
}
