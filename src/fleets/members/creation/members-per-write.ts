import type { MemberContent } from '../../model/member-content.ts'

/** The most members of one transaction. */
const MAX_MEMBERS = 1000
/** The most characters of the manifests of all members of one transaction. */
const MAX_LENGTH = 8 * 1024 * 1024

/**
 * The number of members that one transaction creates or resets. Templates may have 1 MiB, and the
 * objects of all these members are in memory at the same time.
 */
export function membersPerWrite({ objects }: MemberContent): number {
  const { length } = JSON.stringify(objects)
  return Math.min(MAX_MEMBERS, Math.max(1, Math.floor(MAX_LENGTH / length)))
}
