import { Conflict, type FleetClaim } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import type { Session } from '../session/session.ts'
import { pollWithProgress } from '../waiting/poll-with-progress.ts'
import { fleetPath } from './fleet-path.ts'

/** The options of `flotilla fleet claim`. */
export interface ClaimOptions {
  readonly holder?: string | undefined
  /** Milliseconds. */
  readonly ttl?: number | undefined
  readonly member?: string | undefined
  readonly selector?: string | undefined
  readonly createOnEmpty?: boolean | undefined
  /** Milliseconds. */
  readonly wait: number
  readonly output?: string | undefined
}

/** Claims a member. It stays claimed after the command, until its lease ends or it is released. */
export async function claimMember(
  session: Session,
  fleet: string,
  options: ClaimOptions,
): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml', 'name', 'jsonpath'])
  const claim = await waitForClaim(session, fleet, options)
  const { out, err } = session
  const { clusterID, claimID, expiresTime, kept } = claim
  if (format.name === 'name') out.write(`cluster/${clusterID}\n`)
  else if (format.name === 'table' || format.name === 'wide') {
    const until = expiresTime === undefined ? 'until it is released' : `until ${expiresTime}`
    out.write(`cluster/${clusterID} claimed ${until}\n`)
    if (kept === true) err.write('It has the content of its last holder (--then Keep).\n')
    err.write(`Release it: flotilla fleet release ${fleet} ${clusterID} --claim ${claimID}\n`)
  } else out.write(await objectText(format, claim))
}

async function waitForClaim(
  session: Session,
  fleet: string,
  options: ClaimOptions,
): Promise<FleetClaim> {
  let claim: FleetClaim | null = null
  let refusal: Conflict | null = null
  const attempt = async (showProgress: (text: string) => void) => {
    try {
      claim = await post(session, fleet, options)
      return true
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      refusal = error
      showProgress(`fleet/${fleet}: waiting for a free member`)
      return false
    }
  }
  if (options.wait === 0) await attempt(() => undefined)
  else await pollWithProgress(session, options.wait, ({ showProgress }) => attempt(showProgress))
  return claim ?? (await refuse(fleet, refusal))
}

async function post(
  { client, signal, env }: Session,
  fleet: string,
  { holder, ttl, member, selector, createOnEmpty }: ClaimOptions,
): Promise<FleetClaim> {
  const body = {
    holder: holder ?? env['USER'] ?? 'flotilla',
    ttlSeconds: ttl === undefined ? undefined : Math.ceil(ttl / 1000),
    clusterID: member,
    labelSelector: selector,
    createOnEmpty,
  }
  const path = fleetPath(fleet, 'claim')
  // A repeated claim would take a second member.
  const request = { method: 'POST', path, body, signal, retry: 'rejected' } as const
  return (await client.request<FleetClaim>(request)).body
}

function refuse(fleet: string, cause: Conflict | null): Promise<never> {
  const detail = cause === null ? '' : `: ${cause.message}`
  throw new CliError(`no member of fleet/${fleet} could be claimed${detail}`, {
    cause,
    hint: 'Wait for one with --wait 5m, create one with --create-on-empty, or scale the fleet.',
  })
}
