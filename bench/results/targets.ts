import { ratioOf, type Spread, spreadOfKnown } from '../measure/statistics.ts'
import { SLOWED_FLUSH_FACT } from '../scenarios/durable.ts'
import { scansFact } from '../scenarios/growth.ts'
import { GROWTH_FACT } from '../scenarios/memory.ts'
import { heartbeatRate } from '../scenarios/paced.ts'
import type { Measurement, Run } from './measurement.ts'
import { beside } from './ratio-table.ts'
import { findFact, findMeasurement, type Results } from './results.ts'
import { showFigure, showSpread } from './show-figure.ts'

/** What must be reached, and whether it was. */
export interface Verdict {
  readonly target: string
  readonly limit: string
  readonly figure: string
  readonly verdict: 'reached' | 'not reached' | 'not measured'
}

type Findings = Pick<Results, 'measurements' | 'facts'>
type Judge = (findings: Findings) => readonly Verdict[]

const MANY = 64
const LEAST_FLUSH_MS = 1.9
const SMALL = 10_000
const LARGE = 1_000_000

/** Every target of the suite, judged on what was measured. */
export function judgeTargets(findings: Findings): readonly Verdict[] {
  return JUDGES.flatMap((judge) => judge(findings))
}

const JUDGES: readonly Judge[] = [
  (findings) => [
    besideBare(findings, 'get', 4),
    besideBare(findings, 'report-same', 4),
    besideBare(findings, 'create', 6),
  ],
  (findings) =>
    [
      { scenario: 'get', variant: 'get', limit: 1.5 },
      { scenario: 'report-same', variant: 'report-same', limit: 1.5 },
      { scenario: 'list', variant: 'first page of 20', limit: 1.5 },
      { scenario: 'create', variant: 'create', limit: 1.2 },
    ].map((target) => besidePgbench(findings, target)),
  durability,
  listBesideGet,
  (findings) => [
    ...['label, selective', 'condition, selective'].map((name) => growthOf(findings, name)),
    scans(findings),
  ],
  tails,
  paced,
  memory,
]

function besideBare(findings: Findings, name: string, limit: number): Verdict {
  const measurement = findMeasurement(findings, { scenario: name, connections: MANY })
  const bare = measurement && beside(findings, measurement, 'bare')
  const ratio = bare && ratioBetween(measurement, bare, (run) => run.serverCpu)
  return atMost(`${name}, ${MANY} connections: API CPU of bare node:http`, limit, ratio)
}

interface PgbenchTarget {
  readonly scenario: string
  readonly variant: string
  /** Maximum PostgreSQL CPU per request, as a multiple of pgbench's. */
  readonly limit: number
}

function besidePgbench(findings: Findings, { scenario, variant, limit }: PgbenchTarget): Verdict {
  const measurement = findMeasurement(findings, { scenario, variant, connections: MANY })
  const pgbench = measurement && beside(findings, measurement, 'pgbench')
  const ratio = pgbench && ratioBetween(measurement, pgbench, (run) => run.postgresCpu)
  return atMost(`${scenario}, ${MANY} connections: PostgreSQL CPU of pgbench`, limit, ratio)
}

/** Many connections share the flushes that one waits for alone. */
function durability(findings: Findings): readonly Verdict[] {
  const [one, many] = [1, MANY].map((connections) =>
    findMeasurement(findings, { scenario: 'durable', connections }),
  )
  const flush = findFact(findings, SLOWED_FLUSH_FACT)?.value ?? 0
  const where = ` (a flush takes ${showFigure(flush)} ms)`
  // Where the disk is not waited for, there is nothing to share.
  const isSlow = flush >= LEAST_FLUSH_MS
  const both = (figure: (run: Run) => number | null): Spread | null =>
    one && many && isSlow ? ratioBetween(many, one, figure) : null
  return [
    atLeast(
      `durable reports: requests/s of ${MANY} connections of 1${where}`,
      4,
      both((run) => run.requestsPerSecond),
    ),
    atMost(`durable reports: CPU per request of ${MANY} connections of 1`, 1, both(wholeCpu)),
  ]
}

function listBesideGet(findings: Findings): readonly Verdict[] {
  const of = (variant: string): Measurement | null =>
    findMeasurement(findings, { scenario: 'list-1k', variant, connections: MANY })
  const [list, get] = [of('first page of 20'), of('get')]
  const ratio = list && get && ratioBetween(list, get, (run) => run.serverCpu)
  return [atMost('list of 20 with specs of 1 KB: API CPU of a get', 3, ratio)]
}

function growthOf(findings: Findings, variant: string): Verdict {
  const [small, large] = [SMALL, LARGE].map((rows) =>
    findMeasurement(findings, { scenario: 'growth', variant, rows }),
  )
  const ratio = small && large ? ratioBetween(large, small, wholeCpu) : null
  return atMost(`search by ${variant}: CPU at ${LARGE} clusters of that at ${SMALL}`, 2, ratio)
}

function scans(findings: Findings): Verdict {
  const target = `selective searches of ${LARGE} clusters: sequential scans`
  const fact = findFact(findings, scansFact(LARGE))
  if (fact === null) return notMeasured(target, 'none')
  const verdict = fact.value === 0 ? 'reached' : 'not reached'
  return { target, limit: 'none', figure: showFigure(fact.value), verdict }
}

/** Each operation of a mixed load by itself: a page of a hundred is no outlier among reads. */
function tails({ measurements }: Findings): readonly Verdict[] {
  const target = 'p99 of the median, 16 connections, every scenario'
  const ratios = measurements
    .filter(({ measured, connections }) => measured === 'flotilla' && connections === 16)
    .filter(({ scenario }) => scenario !== 'memory')
    .flatMap(tailsOf)
  const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)
  const [first] = worst
  if (first === undefined) return [notMeasured(target, 'below 4')]
  const over = worst.filter(({ ratio }) => ratio >= 4)
  const shown = (over.length === 0 ? [first] : over).slice(0, 12)
  const figure = shown.map(({ name, ratio }) => `${name} ${showFigure(ratio)}`).join('; ')
  return [
    { target, limit: 'below 4', figure, verdict: over.length === 0 ? 'reached' : 'not reached' },
  ]
}

function tailsOf({
  scenario,
  variant,
  rows,
  runs,
}: Measurement): { name: string; ratio: number }[] {
  const names = new Set(runs.flatMap(({ operations }) => operations.map((one) => one.operation)))
  return [...names].flatMap((operation) => {
    const ratios = runs.map((run) => {
      const found = run.operations.find((one) => one.operation === operation)
      // A hundredth of fewer requests is a single one.
      return found === undefined || found.requests < 100 ? null : found.p99 / found.p50
    })
    const ratio = spreadOfKnown(ratios)?.median ?? null
    const detail =
      names.size > 1 ? operation : scenario === 'growth' ? `${variant} ${rows}` : variant
    return ratio === null ? [] : [{ name: `${scenario}: ${detail}`, ratio }]
  })
}

function paced(findings: Findings): readonly Verdict[] {
  const target = 'paced heartbeats: cores of API and PostgreSQL together'
  const measurement = findMeasurement(findings, { scenario: 'paced' })
  const cores = measurement && spreadOfKnown(measurement.runs.map(coresOf))
  if (measurement === null || cores === null) return [notMeasured(target, 'at most 1.2')]
  const due = heartbeatRate(measurement.rows)
  const rate = spreadOfKnown(measurement.runs.map((run) => run.requestsPerSecond))?.median ?? 0
  const keepsUp = rate >= due * 0.99
  const isFleet = measurement.rows === SMALL
  const figure = `${showSpread(cores)} at ${showFigure(rate)} of ${showFigure(due)} requests/s`
  const verdict = cores.median <= 1.2 && keepsUp ? 'reached' : 'not reached'
  return [{ target, limit: 'at most 1.2', figure, verdict: isFleet ? verdict : 'not measured' }]
}

function coresOf(run: Run): number | null {
  const cpu = wholeCpu(run)
  return cpu === null ? null : (cpu * run.requestsPerSecond) / 1e6
}

function memory(findings: Findings): readonly Verdict[] {
  const target = 'memory at the end of a long load, of that in its middle'
  const fact = findFact(findings, GROWTH_FACT)
  if (fact === null) return [notMeasured(target, 'at most 110 %')]
  const verdict = fact.value <= 110 ? 'reached' : 'not reached'
  return [{ target, limit: 'at most 110 %', figure: `${showFigure(fact.value)} %`, verdict }]
}

function wholeCpu({ serverCpu, postgresCpu }: Run): number | null {
  return serverCpu === null || postgresCpu === null ? null : serverCpu + postgresCpu
}

function ratioBetween(
  ours: Measurement,
  theirs: Measurement,
  figure: (run: Run) => number | null,
): Spread | null {
  return ratioOf(ours.runs.map(figure), theirs.runs.map(figure))
}

function atMost(target: string, most: number, ratio: Spread | null): Verdict {
  const limit = `at most ${most}`
  if (ratio === null) return notMeasured(target, limit)
  const verdict = ratio.median <= most ? 'reached' : 'not reached'
  return { target, limit, figure: showSpread(ratio), verdict }
}

function atLeast(target: string, least: number, ratio: Spread | null): Verdict {
  const limit = `at least ${least}`
  if (ratio === null) return notMeasured(target, limit)
  const verdict = ratio.median >= least ? 'reached' : 'not reached'
  return { target, limit, figure: showSpread(ratio), verdict }
}

function notMeasured(target: string, limit: string): Verdict {
  return { target, limit, figure: '-', verdict: 'not measured' }
}
