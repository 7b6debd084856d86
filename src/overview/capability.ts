import { adapterWork } from '../adapter-work/capability.ts'
import { defineCapability } from '../capability/capability.ts'
import { history } from '../history/capability.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { repeat } from '../lib/async/repeat.ts'
import { Adapters } from './adapters/adapters.ts'
import { ReportRecorder } from './adapters/report-recorder.ts'
import { Breakdowns } from './breakdown/breakdowns.ts'
import { FleetCounts } from './fleet-counts.ts'
import { adaptersPart, breakdownPart, overviewPart, seriesPart } from './http/overview-parts.ts'
import { Overviews } from './http/overviews.ts'
import { keepCounts } from './keep-counts.ts'
import { recordMinutes } from './record-minutes.ts'
import { SeriesReader } from './series/series.ts'

/** Between two records of the reports that a server has accepted. */
const RECORD_INTERVAL_MS = 5000

const STATISTICS = { stays: 'statistics of the shard' }

const OPENAPI = new URL('../../openapi/overview.yaml', import.meta.url)

/** Counts all resources by their state while there are viewers, and records each minute. */
export const overview = defineCapability({
  name: 'overview',
  needs: { hyperfleet, history, adapterWork },
  settings: {},
  openapi: { file: OPENAPI },
  tables: [
    { name: 'adapter_reports', backup: 'saved', move: STATISTICS },
    { name: 'count_minutes', backup: 'saved', move: STATISTICS },
    { name: 'load_minutes', backup: 'saved', move: STATISTICS },
    { name: 'state_counts', backup: 'derived', move: STATISTICS },
  ],
  open({ database, feed, registry, clock, lifecycle, log, needs }) {
    const counts = new FleetCounts({ database, feed, registry })
    lifecycle.onClose('counts of resources', () => counts[Symbol.dispose]())
    const { family } = needs.hyperfleet.wire
    const onError = (err: unknown): void => log.warn({ err }, 'the overview waits')
    const overviews = new Overviews({ database, feed, counts, family, clock, onError })
    lifecycle.onClose('overviews', () => overviews[Symbol.dispose]())
    const { operations, indexedFields } = needs.hyperfleet
    const breakdowns = new Breakdowns(operations, clock)
    const { readQueues } = needs.adapterWork
    const adapters = new Adapters({ database, breakdowns, readQueues, clock })
    const series = new SeriesReader(operations, clock)
    const recorder = new ReportRecorder()
    needs.hyperfleet.reportListeners.push((report) => recorder.add(report))
    needs.hyperfleet.addPart(() => overviewPart(overviews))
    needs.hyperfleet.addPart(() => breakdownPart(breakdowns, indexedFields))
    needs.hyperfleet.addPart(() => adaptersPart(adapters))
    needs.hyperfleet.addPart(() => seriesPart(series))
    return { recorder }
  },
  run({ database, lifecycle, log, registry }, { recorder }) {
    const reports = repeat(
      {
        pauseMs: RECORD_INTERVAL_MS,
        delayMs: RECORD_INTERVAL_MS,
        onError: (error) =>
          log.warn({ err: error }, 'the last reports of adapters were not recorded'),
      },
      () => recorder.record(database),
    )
    lifecycle.onClose('records of reports', () => reports[Symbol.asyncDispose]())
    const minutes = recordMinutes(database, (error) => {
      log.warn({ err: error }, 'the load of this minute was not recorded')
    })
    lifecycle.onClose('records of minutes', () => minutes[Symbol.asyncDispose]())
    const keeper = keepCounts({
      database,
      registry,
      onError: (error) => log.warn({ err: error }, 'the counts of the overview were not stored'),
    })
    lifecycle.onClose('stored counts', () => keeper[Symbol.asyncDispose]())
  },
})
