import { existsSync } from 'node:fs'
import path from 'node:path'

const INTERVAL_MS = 2000

/**
 * Prints the number of installed packages every two seconds while `work` runs. npm shows its own
 * progress only on a terminal.
 * @param {{ root: string, places: readonly string[] }} packages
 * @param {() => Promise<void>} work
 */
export async function withProgress({ root, places }, work) {
  const start = performance.now()
  const timer = setInterval(() => {
    const present = places.filter((place) => existsSync(path.join(root, place, 'package.json')))
    const seconds = Math.round((performance.now() - start) / 1000)
    console.log(`  ${present.length} of ${places.length} packages after ${seconds} s`)
  }, INTERVAL_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}
