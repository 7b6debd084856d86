import { FlotillaError } from 'flotilla'
import type { ApiObject, EndpointRequest } from 'flotilla/planes'
import type { EndpointParts } from './endpoint-parts.ts'
import { sandboxTarget } from './sandbox-target.ts'

/** Attempts if other clients change the sandbox at the same time. */
const ATTEMPTS = 10

/**
 * Changes a sandbox as an update of the caller: with admission, validation and the version that was
 * read. `change` returns null if nothing has to be changed, and runs again after a conflict.
 */
export async function changeSandbox(
  { objects }: EndpointParts,
  request: EndpointRequest,
  change: (sandbox: ApiObject) => ApiObject | null,
): Promise<ApiObject> {
  const { requester } = request
  const target = sandboxTarget(request.target)
  for (let attempt = 1; ; attempt += 1) {
    const sandbox = await objects().get(requester, target)
    const changed = change(sandbox)
    if (!changed) return sandbox
    try {
      const fieldManager = request.target.subresource
      const options = { fieldManager, basedOn: sandbox }
      return await objects().update(requester, target, changed, options)
    } catch (error) {
      const isConflict = error instanceof FlotillaError && error.reason === 'conflict'
      if (!isConflict || attempt === ATTEMPTS) throw error
    }
  }
}
