import { NotFound } from '../errors/status-errors.ts'
import type { Fleet as FleetObject } from '../generated/kplane.ts'
import type { Transport } from '../http/transport.ts'
import { fleetPath } from './fleet-path.ts'

/** Reads a fleet. Returns null if there is none of this name. */
export async function findFleet(
  transport: Transport,
  name: string,
  signal: AbortSignal | undefined,
): Promise<FleetObject | null> {
  try {
    const request = { method: 'GET', path: fleetPath(name), retry: 'always', signal } as const
    return (await transport.request<FleetObject>(request)).body
  } catch (error) {
    if (error instanceof NotFound) return null
    throw error
  }
}
