import { findRecycling } from '../../store/members/find-recycling.ts'
import type { MemberParts } from './creation/member-parts.ts'
import { readContent } from './creation/read-content.ts'
import { readFleet } from './read-fleet.ts'

const MAX_MEMBERS = 1000

/** IDs of members that wait for a reset to the content from which they were made. */
export async function findReleased(parts: MemberParts, name: string): Promise<readonly string[]> {
  const fleet = await readFleet(parts, name)
  const found = await findRecycling(parts.context.database, fleet.uid, MAX_MEMBERS)
  if (found.length === 0) return []
  const content = await readContent(parts, fleet)
  return found
    .filter(({ template }) => template === content?.template)
    .map((row) => row.resource_id)
}
