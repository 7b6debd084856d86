import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client'

/** Gauges whose names Prometheus reserves for counters; the gauges without `_total` say the same. */
const DUPLICATE_GAUGES = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** What is running. */
export interface Build {
  readonly version: string
  /** The commit that it was built from; null if that is unknown. */
  readonly revision: string | null
}

/** Measures the process under the names that every Prometheus client uses. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of DUPLICATE_GAUGES) registry.removeSingleMetric(name)
}

/** `flotilla_build_info` is always 1; its labels tell versions apart. */
export function exposeBuild(registry: Registry, { version, revision }: Build): void {
  const labels = { version, ...(revision !== null && { revision }), node: process.version }
  const gauge = new Gauge({
    name: 'flotilla_build_info',
    help: 'Always 1. The labels are the versions of the server and of Node.',
    labelNames: Object.keys(labels),
    registers: [registry],
  })
  gauge.set(labels, 1)
}

/** Shows how many lines of the log could not be written. */
export function exposeLostLogLines(registry: Registry, lostLines: () => number): void {
  const counter: Counter = new Counter({
    name: 'flotilla_log_lines_lost_total',
    help: 'Lines of the log that could not be written.',
    registers: [registry],
    collect: () => {
      counter.reset()
      counter.inc(lostLines())
    },
  })
}

/**
 * All metrics as text. The metrics of the process appear under their former names too, with the
 * prefix `flotilla_`, until dashboards have moved to the standard names.
 */
export async function metricsText(registry: Registry): Promise<string> {
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
