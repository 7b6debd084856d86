import type { ReleasePolicy } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { fleetPath } from './fleet-path.ts'

/** The options of `flotilla fleet release`. */
export interface ReleaseOptions {
  readonly claim?: string | undefined
  readonly then: ReleasePolicy
}

/** Ends the claim of a member. Without the ID of the claim, ends the one that the member has now. */
export async function releaseMember(
  session: Session,
  { fleet, member }: { readonly fleet: string; readonly member: string },
  options: ReleaseOptions,
): Promise<void> {
  const { client, signal, out } = session
  const claimID = options.claim ?? (await currentClaim(session, fleet, member))
  // oxlint-disable-next-line unicorn/no-thenable -- the name of the field in the API
  const body = { clusterID: member, claimID, then: options.then }
  const path = fleetPath(fleet, 'release')
  await client.request({ method: 'POST', path, body, signal, retry: 'always' })
  out.write(`cluster/${member} released\n`)
}

async function currentClaim({ client, signal }: Session, fleet: string, member: string) {
  const { allMembers } = await client
    .getFleet(fleet, { signal })
    .then((found) => ({ allMembers: found.allMembers({ signal }) }))
  for await (const { clusterID, claim } of allMembers) {
    if (clusterID !== member) continue
    if (claim !== undefined) return claim.claimID
    throw new CliError(`cluster/${member} is not claimed`)
  }
  throw new CliError(`fleet/${fleet} has no member '${member}'`, {
    exit: 'notFound',
    hint: `'flotilla fleet members ${fleet}' lists the members.`,
  })
}
