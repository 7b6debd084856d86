import { FlotillaError } from '../../../lib/errors.ts'
import type { Resource } from '../../model/resource.ts'

/** Whether a write still applies to the current resource; null if it always does. */
export type Precondition = ((resource: Resource) => boolean) | null

/** `precondition-failed` if the resource is not in the state that the caller expects. */
export function requireMatch(precondition: Precondition, resource: Resource): void {
  if (precondition === null || precondition(resource)) return
  const { kind, id, version } = resource
  throw new FlotillaError(
    'precondition-failed',
    `${kind} with id='${id}' has changed: it is at version ${version}; read it and send the change again`,
  )
}
