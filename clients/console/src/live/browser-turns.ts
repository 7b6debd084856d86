import { StreamTurns } from './stream-turns.ts'

// Undefined outside secure contexts, such as HTTP without TLS from another machine.
const locks: LockManager | undefined = hasFewConnections()
  ? Reflect.get(navigator, 'locks')
  : undefined

/** The watches of this browser. With a log, they leave two of six connections for requests. */
export const watchTurns = new StreamTurns(locks, [
  'flotilla.watch.1',
  'flotilla.watch.2',
  'flotilla.watch.3',
])

/** The log that this browser follows. */
export const logTurns = new StreamTurns(locks, ['flotilla.log'])

/** HTTP/2 and later carry many streams on one connection. */
function hasFewConnections(): boolean {
  const [page] = performance.getEntriesByType('navigation')
  return page instanceof PerformanceNavigationTiming && /^(http\/1|$)/.test(page.nextHopProtocol)
}
