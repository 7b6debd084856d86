import { ratioOf, type Spread, spreadOfDefined } from '../measure/statistics.ts'
import { claimFigure, RECYCLED } from '../fleets/measure-claims.ts'
import { READY, REMOVED } from '../fleets/measure-life.ts'
import { DURABLE_FLUSH_TIME } from '../scenarios/durable.ts'
import { scanCountName } from '../scenarios/growth.ts'
import { MEMORY_GROWTH } from '../scenarios/memory.ts'
import { heartbeatRate } from '../scenarios/paced.ts'
import { formatFigure, formatSpread } from './format-figure.ts'
import type { Measurement, Sample } from './measurement.ts'
import { counterpart } from './ratio-table.ts'
import { findFact, findMeasurement, type Results } from './results.ts'

/** A performance target of the project, and whether the results meet it. */
export interface TargetResult {
  readonly target: string
  readonly limit: string
  readonly figure: string
  readonly outcome: 'met' | 'missed' | 'not measured'
}

type Findings = Pick<Results, 'measurements' | 'facts'>
type Evaluation = (findings: Findings) => readonly TargetResult[]

const CONNECTIONS = 64
const MIN_FLUSH_MS = 1.9
const FLEET_ROWS = 10_000
const LARGE_ROWS = 1_000_000
const MAX_TAIL_RATIO = 4
const TAIL_CONNECTIONS = 16
const MAX_TAILS_LISTED = 12
const MAX_PACED_CORES = 1.2
const MAX_MEMORY_GROWTH = 110

/** Evaluates every target. */
export function evaluateTargets(findings: Findings): readonly TargetResult[] {
  return EVALUATIONS.flatMap((evaluate) => evaluate(findings))
}

const EVALUATIONS: readonly Evaluation[] = [
  (findings) => [
    cpuVersusBare(findings, 'get', 4),
    cpuVersusBare(findings, 'report-same', 4),
    cpuVersusBare(findings, 'create', 6),
  ],
  (findings) =>
    [
      { scenario: 'get', variant: 'get', limit: 1.5 },
      { scenario: 'report-same', variant: 'report-same', limit: 1.5 },
      { scenario: 'list', variant: 'first page of 20', limit: 1.5 },
      { scenario: 'create', variant: 'create', limit: 1.2 },
    ].map((target) => cpuVersusPgbench(findings, target)),
  durableReports,
  listVersusGet,
  (findings) => [
    ...['label, selective', 'condition, selective'].map((name) => searchGrowth(findings, name)),
    sequentialScans(findings),
  ],
  tailLatencies,
  pacedCores,
  memoryGrowth,
  (findings) => [
    factBelow(findings, `1000 members, ${READY}`, 1000),
    factBelow(findings, `10000 members, ${READY}`, 10_000),
    factBelow(findings, `1000 members, ${REMOVED}`, 1000),
    factBelow(findings, `10000 members, ${REMOVED}`, 10_000),
    factBelow(findings, claimFigure(16, 'p99'), 25),
    factBelow(findings, `${RECYCLED}, p50`, 100),
  ],
]

function cpuVersusBare(findings: Findings, scenario: string, limit: number): TargetResult {
  const measurement = findMeasurement(findings, { scenario, connections: CONNECTIONS })
  const bare = measurement && counterpart(findings, measurement, 'bare')
  const ratio = bare && ratioBetween(measurement, bare, (sample) => sample.serverCpu)
  const target = `${scenario}, ${CONNECTIONS} connections: API CPU / bare node:http`
  return atMost(target, limit, ratio)
}

interface PgbenchTarget {
  readonly scenario: string
  readonly variant: string
  /** Maximum PostgreSQL CPU per request, as a multiple of pgbench's. */
  readonly limit: number
}

function cpuVersusPgbench(
  findings: Findings,
  { scenario, variant, limit }: PgbenchTarget,
): TargetResult {
  const measurement = findMeasurement(findings, { scenario, variant, connections: CONNECTIONS })
  const pgbench = measurement && counterpart(findings, measurement, 'pgbench')
  const ratio = pgbench && ratioBetween(measurement, pgbench, (sample) => sample.postgresCpu)
  const target = `${scenario}, ${CONNECTIONS} connections: PostgreSQL CPU / pgbench`
  return atMost(target, limit, ratio)
}

/** Concurrent reports share flushes (group commit), so throughput must grow with the connections. */
function durableReports(findings: Findings): readonly TargetResult[] {
  const [one, many] = [1, CONNECTIONS].map((connections) =>
    findMeasurement(findings, { scenario: 'durable', connections }),
  )
  const flush = findFact(findings, DURABLE_FLUSH_TIME)?.value ?? 0
  const isSlow = flush >= MIN_FLUSH_MS
  const ratio = (figure: (sample: Sample) => number | null): Spread | null =>
    one && many && isSlow ? ratioBetween(many, one, figure) : null
  const subject = `durable reports, ${CONNECTIONS} connections / 1`
  return [
    atLeast(
      `${subject}: requests/s (with a flush of ${formatFigure(flush)} ms)`,
      4,
      ratio((sample) => sample.requestsPerSecond),
    ),
    atMost(`${subject}: CPU per request`, 1, ratio(totalCpu)),
  ]
}

function listVersusGet(findings: Findings): readonly TargetResult[] {
  const [list, get] = ['first page of 20', 'get'].map((variant) =>
    findMeasurement(findings, { scenario: 'list-1k', variant, connections: CONNECTIONS }),
  )
  const ratio = list && get ? ratioBetween(list, get, (sample) => sample.serverCpu) : null
  return [atMost('list of 20 with specs of 1 KB: API CPU / get', 3, ratio)]
}

function searchGrowth(findings: Findings, variant: string): TargetResult {
  const [small, large] = [FLEET_ROWS, LARGE_ROWS].map((rows) =>
    findMeasurement(findings, { scenario: 'growth', variant, rows }),
  )
  const ratio = small && large ? ratioBetween(large, small, totalCpu) : null
  const target = `search by ${variant}: CPU at ${LARGE_ROWS} clusters / at ${FLEET_ROWS}`
  return atMost(target, 2, ratio)
}

function sequentialScans(findings: Findings): TargetResult {
  const target = `selective searches of ${LARGE_ROWS} clusters: sequential scans`
  const fact = findFact(findings, scanCountName(LARGE_ROWS))
  if (fact === null) return notMeasured(target, 'none')
  return { target, limit: 'none', figure: formatFigure(fact.value), outcome: met(fact.value === 0) }
}

/** Evaluates each operation of a mixed load separately, because their medians differ. */
function tailLatencies({ measurements }: Findings): readonly TargetResult[] {
  const target = `p99 / p50, ${TAIL_CONNECTIONS} connections, every scenario`
  const limit = `below ${MAX_TAIL_RATIO}`
  const ratios = measurements
    .filter(
      ({ subject, connections }) => subject === 'flotilla' && connections === TAIL_CONNECTIONS,
    )
    .filter(({ scenario }) => scenario !== 'memory')
    .flatMap(tailRatios)
    .toSorted((a, b) => b.ratio - a.ratio)
  const [worst] = ratios
  if (worst === undefined) return [notMeasured(target, limit)]
  const exceeding = ratios.filter(({ ratio }) => ratio >= MAX_TAIL_RATIO)
  const listed = exceeding.length === 0 ? [worst] : exceeding.slice(0, MAX_TAILS_LISTED)
  const figure = listed.map(({ name, ratio }) => `${name} ${formatFigure(ratio)}`).join('; ')
  return [{ target, limit, figure, outcome: met(exceeding.length === 0) }]
}

function tailRatios({
  scenario,
  variant,
  rows,
  samples,
}: Measurement): { name: string; ratio: number }[] {
  const names = new Set(samples.flatMap(({ operations }) => operations.map((one) => one.operation)))
  return [...names].flatMap((operation) => {
    const ratios = samples.map(({ operations }) => {
      const found = operations.find((one) => one.operation === operation)
      // With fewer than 100 requests, p99 is a single request.
      return found === undefined || found.requests < 100 ? null : found.p99 / found.p50
    })
    const ratio = spreadOfDefined(ratios)?.median ?? null
    const detail =
      names.size > 1 ? operation : scenario === 'growth' ? `${variant} ${rows}` : variant
    return ratio === null ? [] : [{ name: `${scenario}: ${detail}`, ratio }]
  })
}

/** The limit applies to the standard fleet, and only if the server keeps up with the rate. */
function pacedCores(findings: Findings): readonly TargetResult[] {
  const target = 'paced heartbeats: cores of API and PostgreSQL together'
  const limit = `at most ${MAX_PACED_CORES}`
  const measurement = findMeasurement(findings, { scenario: 'paced' })
  const cores = measurement && spreadOfDefined(measurement.samples.map(coresOf))
  if (measurement === null || cores === null) return [notMeasured(target, limit)]
  const due = heartbeatRate(measurement.rows)
  const rates = measurement.samples.map((sample) => sample.requestsPerSecond)
  const rate = spreadOfDefined(rates)?.median ?? 0
  const keepsUp = rate >= due * 0.99
  const isFleet = measurement.rows === FLEET_ROWS
  const figure = `${formatSpread(cores)} at ${formatFigure(rate)} of ${formatFigure(due)} requests/s`
  const outcome = met(cores.median <= MAX_PACED_CORES && keepsUp)
  return [{ target, limit, figure, outcome: isFleet ? outcome : 'not measured' }]
}

function coresOf(sample: Sample): number | null {
  const cpu = totalCpu(sample)
  return cpu === null ? null : (cpu * sample.requestsPerSecond) / 1e6
}

function memoryGrowth(findings: Findings): readonly TargetResult[] {
  const target = 'memory at the end of a sustained load, relative to its middle'
  const limit = `at most ${MAX_MEMORY_GROWTH} %`
  const fact = findFact(findings, MEMORY_GROWTH)
  if (fact === null) return [notMeasured(target, limit)]
  const outcome = met(fact.value <= MAX_MEMORY_GROWTH)
  return [{ target, limit, figure: `${formatFigure(fact.value)} %`, outcome }]
}

/** A limit in milliseconds on a figure of the scenario `fleets`. */
function factBelow(findings: Findings, name: string, limitMs: number): TargetResult {
  const target = `fleets: ${name}`
  const limit = `below ${limitMs} ms`
  const fact = findFact(findings, name)
  if (fact === null) return notMeasured(target, limit)
  const figure = `${formatFigure(fact.value)} ms`
  return { target, limit, figure, outcome: met(fact.value < limitMs) }
}

function totalCpu({ serverCpu, postgresCpu }: Sample): number | null {
  return serverCpu === null || postgresCpu === null ? null : serverCpu + postgresCpu
}

function ratioBetween(
  measurement: Measurement,
  baseline: Measurement,
  figure: (sample: Sample) => number | null,
): Spread | null {
  return ratioOf(measurement.samples.map(figure), baseline.samples.map(figure))
}

function atMost(target: string, max: number, ratio: Spread | null): TargetResult {
  const limit = `at most ${max}`
  if (ratio === null) return notMeasured(target, limit)
  return { target, limit, figure: formatSpread(ratio), outcome: met(ratio.median <= max) }
}

function atLeast(target: string, min: number, ratio: Spread | null): TargetResult {
  const limit = `at least ${min}`
  if (ratio === null) return notMeasured(target, limit)
  return { target, limit, figure: formatSpread(ratio), outcome: met(ratio.median >= min) }
}

function met(isMet: boolean): 'met' | 'missed' {
  return isMet ? 'met' : 'missed'
}

function notMeasured(target: string, limit: string): TargetResult {
  return { target, limit, figure: '-', outcome: 'not measured' }
}
