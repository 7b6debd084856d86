import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { exposeLongestSlice } from './longest-slice.ts'

/** Gauges with the suffix of counters. The gauges without `_total` have the same values. */
const DUPLICATE_GAUGES = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** The running build. */
export interface Build {
  readonly version: string
  /** The commit of the build; null if unknown. */
  readonly revision: string | null
}

/** The default of 10 ms wakes an idle process 100 times per second, a quarter of its work. */
const EVENT_LOOP_PRECISION_MS = 50

let processMetrics: Registry | null = null

/**
 * A registry with the standard process metrics of Prometheus clients. Registries share these
 * metrics: they observe garbage collections and the event loop until the process ends, and would
 * keep everything in memory that a closed server has registered.
 */
export function createProcessRegistry(): Registry {
  processMetrics ??= measureProcess()
  return Registry.merge([processMetrics])
}

function measureProcess(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS,
  })
  for (const name of DUPLICATE_GAUGES) registry.removeSingleMetric(name)
  exposeLongestSlice(registry)
  return registry
}

/** Exposes `flotilla_build_info`, which is always 1 and has the versions as labels. */
export function exposeBuild(registry: Registry, { version, revision }: Build): void {
  const labels = { version, ...(revision !== null && { revision }), node: process.version }
  const gauge = new Gauge({
    name: 'flotilla_build_info',
    help: 'Always 1. The labels are the versions of the server and of Node.',
    labelNames: Object.keys(labels),
    aggregator: 'first',
    registers: [registry],
  })
  gauge.set(labels, 1)
}

/** Exposes the number of log lines that could not be written. */
export function exposeLostLogLines(registry: Registry, lostLines: () => number): void {
  const counter: Counter = new Counter({
    name: 'flotilla_log_lines_lost_total',
    help: 'Log lines that could not be written.',
    registers: [registry],
    collect: () => {
      counter.reset()
      counter.inc(lostLines())
    },
  })
}

/**
 * All metrics as text. Process metrics also appear under their former names with the prefix
 * `flotilla_`, until dashboards have moved to the standard names.
 */
export async function metricsText(registry: Pick<Registry, 'metrics'>): Promise<string> {
  const text = await registry.metrics()
  const former = text
    .split('\n\n')
    .filter((metric) => /^# HELP (?:process|nodejs)_/.test(metric))
    .map((metric) =>
      metric
        .replaceAll(/^(# \w+ )?(process|nodejs)_/gm, '$1flotilla_$2_')
        .replace(/^(# HELP \w+ ).*/, '$1Former name of the metric without the prefix flotilla_.'),
    )
  return [text.trimEnd(), ...former.map((metric) => metric.trimEnd())].join('\n\n').concat('\n')
}
