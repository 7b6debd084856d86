/** Positions in a log. */
interface Range {
  readonly from: bigint
  readonly to: bigint
}

/**
 * The newest change beyond the age limit, by binary search; `from` if there is none. `olderAt`
 * returns the position of the first change at a position or after it, or null if that change is
 * newer. Positions increase with time, except for writes of long transactions. Such a write can
 * cause a few newer changes to be dropped early.
 */
export async function newestOlder(
  { from, to }: Range,
  olderAt: (position: bigint) => Promise<bigint | null>,
): Promise<bigint> {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const older = await olderAt(middle)
    if (older === null) high = middle - 1n
    else low = older
  }
  return low
}
