const WIDTH = 24

/** A bar such as `[######------] 3 of 6`. */
export function progressBar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, Math.max(0, done / total))
  const filled = Math.floor(share * WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done} of ${total}`
}
