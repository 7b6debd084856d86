import type { FleetRecycling } from '../../../typescript/src/index.ts'
import type { Session } from '../session/session.ts'
import { fleetPath } from './fleet-path.ts'

/** Asks for the reset of a member, or of all members that cannot be claimed without it. */
export async function recycleMembers(
  { client, signal, out }: Session,
  fleet: string,
  member: string | undefined,
): Promise<void> {
  const path = fleetPath(fleet, 'recycle')
  const body = { clusterID: member }
  const request = { method: 'POST', path, body, signal, retry: 'always' } as const
  const { clusterIDs } = (await client.request<FleetRecycling>(request)).body
  for (const name of clusterIDs) out.write(`cluster/${name} is being reset\n`)
  if (clusterIDs.length === 0) out.write(`no member of fleet/${fleet} needs a reset\n`)
}
