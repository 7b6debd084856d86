import { Overviews } from '../overview/http/overviews.ts'
import type { Config } from './settings.ts'
import type { Context } from '../store/operations/context.ts'
import { FleetCounts } from '../overview/fleet-counts.ts'
import { recordMinutes } from '../overview/record-minutes.ts'
import type { Lifecycle } from '../lib/async/lifecycle.ts'
import type { Log } from '../lib/log/log.ts'

interface Parts extends Pick<Context, 'database' | 'feed' | 'registry' | 'clock'> {
  readonly lifecycle: Lifecycle
  readonly log: Log
}

/** Records each minute, and counts resources while there are viewers of the overview. */
export function openOverviews(
  { conditionFamily }: Pick<Config, 'conditionFamily'>,
  { database, feed, registry, clock, lifecycle, log }: Parts,
): Overviews {
  const counts = new FleetCounts({ database, feed, registry })
  lifecycle.onClose('counts of resources', () => counts[Symbol.dispose]())
  const recorder = recordMinutes(database, (error) => {
    log.warn({ err: error }, 'the load of this minute was not recorded')
  })
  lifecycle.onClose('records of minutes', () => recorder[Symbol.asyncDispose]())
  const overviews = new Overviews({
    database,
    feed,
    counts,
    family: conditionFamily,
    clock,
    onError: (error) => log.warn({ err: error }, 'the overview waits'),
  })
  lifecycle.onClose('overviews', () => overviews[Symbol.dispose]())
  return overviews
}
