import { errorMessage } from '../../lib/error-message.ts'
import type { Egress } from '../../http/egress/egress.ts'
import { type Delegate, groupVersionOf } from './delegate.ts'
import { readDelegate } from './read-delegate.ts'

/** The result of a probe, as the condition Available has it. */
export interface Availability {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** Whether the server of a delegate serves the discovery document of its group version. */
export async function probeDelegate(egress: Egress, delegate: Delegate): Promise<Availability> {
  const { server } = delegate
  if ('problem' in server) {
    return { status: 'False', reason: 'ServiceNotFound', message: server.problem }
  }
  const path = `/apis/${groupVersionOf(delegate)}`
  try {
    await readDelegate(egress, delegate, path)
    return { status: 'True', reason: 'Passed', message: 'all checks passed' }
  } catch (error) {
    const message = `failing or missing response from ${server.url.origin}${path}: ${errorMessage(error)}`
    return { status: 'False', reason: 'FailedDiscoveryCheck', message }
  }
}
