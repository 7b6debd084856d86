import type { FleetMember } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla fleet members`. */
export interface MembersOptions {
  readonly phase?: FleetMember['phase'] | undefined
  readonly output?: string | undefined
}

const COLUMNS = [
  { header: 'NAME', shrinksTo: 12 },
  { header: 'PHASE' },
  { header: 'HOLDER', rank: 1, shrinksTo: 10 },
  { header: 'CLAIMED', rank: 2 },
  { header: 'MESSAGE', rank: 3, shrinksTo: 16 },
]

/** Lists the members of a fleet. */
export async function listMembers(
  session: Session,
  name: string,
  { phase, output }: MembersOptions,
): Promise<void> {
  const { client, signal, out, now } = session
  const format = readFormat(output, ['json', 'yaml', 'name', 'jsonpath'])
  const fleet = await client.getFleet(name, { signal })
  const members = await fleet.allMembers({ phase, signal }).toArray()
  if (format.name === 'name')
    for (const { clusterID } of members) out.write(`cluster/${clusterID}\n`)
  else if (format.name === 'table' || format.name === 'wide') {
    const rows = members.map((member) => rowOf(member, now()))
    for (const line of await tableLines({ columns: COLUMNS, rows }, out)) out.write(`${line}\n`)
  } else out.write(await objectText(format, { kind: 'FleetMemberList', items: members }))
}

function rowOf({ clusterID, phase, claim, message = '-' }: FleetMember, now: Date) {
  const tone = phase === 'Ready' ? 'good' : phase === 'Failed' ? 'bad' : 'warning'
  const since = claim === undefined ? '-' : age(claim.claimedTime, now)
  return [clusterID, { text: phase, tone } as const, claim?.holder ?? '-', since, message]
}
