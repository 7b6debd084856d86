import { Conflict, NotFound } from '../errors/status-errors.ts'
import type { Fleet as FleetObject } from '../generated/kplane.ts'
import { Repetition } from '../http/repetition.ts'
import { randomKey } from '../http/random-key.ts'
import type { CallOptions } from '../http/request.ts'
import type { Transport } from '../http/transport.ts'
import type { NewFleet } from './fleet-options.ts'
import { fleetPath } from './fleet-path.ts'

/** Marks the create call, so that a repetition can recognize the fleet of an earlier attempt. */
const REQUEST_ID = 'flotilla.dev/request-id'

/** Creates a fleet exactly once, even if responses are lost. Rejects names together with a prefix. */
export async function createFleet(
  transport: Transport,
  { name, labels, annotations, ...spec }: NewFleet,
  options: CallOptions,
): Promise<FleetObject> {
  if (spec.names !== undefined && spec.namePrefix !== undefined) {
    throw new TypeError('give either names or namePrefix: names are complete')
  }
  const requestId = randomKey()
  const body = {
    apiVersion: 'kplane.dev/v1',
    kind: 'Fleet',
    metadata: { name, labels, annotations: { ...annotations, [REQUEST_ID]: requestId } },
    spec,
  }
  const isRepetition = (error: Error) => error instanceof Conflict
  const request = { method: 'POST', path: fleetPath(), body, retry: 'always', ...options } as const
  try {
    return (await transport.request<FleetObject>({ ...request, isRepetition })).body
  } catch (error) {
    if (!(error instanceof Repetition)) throw error
    const path = fleetPath(name)
    const get = { method: 'GET', path, retry: 'always', ...options } as const
    const found = await transport.request<FleetObject>(get).then(
      ({ body: fleet }) => fleet,
      (failure: unknown) => {
        // Another fleet of this name has been removed since the conflict.
        throw failure instanceof NotFound ? error.cause : failure
      },
    )
    if (found.metadata.annotations?.[REQUEST_ID] === requestId) return found
    throw error.cause
  }
}
