import type { FleetMember } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import { readFormat } from '../output/formats.ts'
import { type ListColumn, printList } from '../output/print-list.ts'
import type { Tone } from '../output/table.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla fleet members`. */
export interface MembersOptions {
  readonly phase?: FleetMember['phase'] | undefined
  readonly output?: string | undefined
}

const TONES: Readonly<Record<FleetMember['phase'], Tone>> = {
  Ready: 'good',
  Failed: 'bad',
  Pending: 'warning',
}

const COLUMNS: readonly ListColumn<FleetMember>[] = [
  { header: 'NAME', shrinksTo: 12, cell: ({ clusterID }) => clusterID },
  { header: 'PHASE', cell: ({ phase }) => ({ text: phase, tone: TONES[phase] }) },
  { header: 'HOLDER', rank: 1, shrinksTo: 10, cell: ({ claim }) => claim?.holder ?? '-' },
  { header: 'CLAIMED', rank: 2, cell: ({ claim }, now) => age(claim?.claimedTime, now) },
  { header: 'MESSAGE', rank: 3, shrinksTo: 16, cell: ({ message }) => message ?? '-' },
]

/** Lists the members of a fleet. */
export async function listMembers(
  session: Session,
  name: string,
  { phase, output }: MembersOptions,
): Promise<void> {
  const { client, signal } = session
  const format = readFormat(output, ['json', 'yaml', 'name', 'jsonpath'])
  const fleet = await client.getFleet(name, { signal })
  const items = await fleet.allMembers({ phase, signal }).toArray()
  await printList(session, format, {
    plural: 'members',
    columns: COLUMNS,
    nameOf: ({ clusterID }) => `cluster/${clusterID}`,
    document: { kind: 'FleetMemberList', items },
  })
}
