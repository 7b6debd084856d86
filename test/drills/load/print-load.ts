import type { LoadResult } from './start-load.ts'
import type { WatchConnections } from './watch-verifier.ts'

const SHOWN = 20

/** Prints the outcome of a load, with the first problems. */
export function printLoad(result: LoadResult, print: (line: string) => void): void {
  const { ledger, watches, losses, eventProblems, events } = result
  const { acknowledged, refused, lost, unavailable, conflicts, failed } = ledger.attempts
  print(
    `  ${acknowledged} writes acknowledged, ${losses.length} lost, ` +
      `${ledger.unknownWrites()} with an unknown outcome, ${failed} failed`,
  )
  print(
    `  attempts: ${refused} refused, ${lost} broken, ${unavailable} unavailable, ` +
      `${conflicts} conflicts`,
  )
  for (const [reason, count] of ledger.reasons) print(`    ${count} x ${reason}`)
  const sum = (key: keyof WatchConnections): number =>
    watches.reduce((total, { connections }) => total + connections[key], 0)
  print(
    `  ${watches.length} watches: ${events} events, ${eventProblems.length} missed or wrong, ` +
      `${sum('opened')} connections (${sum('ended')} ended, ${sum('broken')} broken, ` +
      `${sum('rejected')} rejected), ${sum('resets')} resets`,
  )
  for (const problem of [...losses, ...eventProblems, ...ledger.failures].slice(0, SHOWN)) {
    print(`    ${problem}`)
  }
  if (eventProblems.length === 0) return
  // Whether a watch stayed behind or left events out.
  for (const { resourceVersion, connections } of watches) {
    print(`    a watch ended at ${resourceVersion} after ${connections.opened} connections`)
  }
}
