import type { FleetMember } from '../../../../typescript/src/generated/kplane.ts'
import { useLiveList } from '../../kube/use-live-list.ts'
import { FLEETS_PATH, readMembers } from '../fleet-objects.ts'

const PAGE_SIZE = 1000

/** All members of a fleet, live. */
export function useMembers(fleet: string) {
  return useLiveList<FleetMember>({
    plane: 'root',
    path: `${FLEETS_PATH}/${encodeURIComponent(fleet)}/members`,
    pageSize: PAGE_SIZE,
    isWhole: true,
    readItems: readMembers,
    keyOf: ({ clusterID }) => clusterID,
    versionOf: () => '',
    compare: compareNames,
  })
}

const collator = new Intl.Collator('en', { numeric: true })

/** The index in a name has four digits or more, so names of large fleets differ in length. */
function compareNames(a: string, b: string): number {
  return collator.compare(a, b)
}
