/** Revisions of a plane start at its creation time in seconds times this number. */
const REVISIONS_PER_SECOND = 1n << 20n

/** The revision of a plane before its first write. */
export function firstRevision(createdTime: Date): bigint {
  return BigInt(Math.floor(createdTime.getTime() / 1000)) * REVISIONS_PER_SECOND
}
