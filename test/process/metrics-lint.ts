/** A metric in a scrape. */
export interface Metric {
  readonly name: string
  readonly type: string
  readonly help: string
  /** Names of the labels of its samples, without `le`. */
  readonly labels: ReadonlySet<string>
  /** Names of its samples: that of the metric, with a suffix for histograms. */
  readonly samples: ReadonlySet<string>
}

const SUFFIXES = { histogram: ['_bucket', '_sum', '_count'], counter: [''], gauge: [''] }

/** Parses the text format of Prometheus; throws on a line that is not part of it. */
export function parseMetrics(text: string): readonly Metric[] {
  const metrics: (Metric & { labels: Set<string>; samples: Set<string> })[] = []
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, keyword, subject = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    const last = metrics.at(-1)
    if (keyword === 'HELP') {
      const sets = { labels: new Set<string>(), samples: new Set<string>() }
      metrics.push({ name: subject, type: '', help: rest, ...sets })
    } else if (keyword === 'TYPE' && last?.name === subject) {
      Object.assign(last, { type: rest })
    } else {
      const [, sample = '', labels = ''] =
        /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (?:[-+]?[\d.e+-]+|NaN|Nan|[-+]?Inf)$/.exec(line) ?? []
      if (last === undefined || !sample.startsWith(last.name)) throw new Error(`found '${line}'`)
      last.samples.add(sample)
      for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) {
        if (label !== 'le') last.labels.add(label)
      }
    }
  }
  return metrics
}

/** Lists the problems that `promtool check metrics` reports, and names that clients cannot read. */
export function lintMetrics(metrics: readonly Metric[]): readonly string[] {
  const names = metrics.map(({ name }) => name)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  return [
    ...repeated.map((name) => `${name}: appears twice`),
    ...metrics.flatMap((metric) => problemsOf(metric).map((text) => `${metric.name}: ${text}`)),
  ]
}

function problemsOf({ name, type, help, labels, samples }: Metric): readonly string[] {
  const problems: string[] = []
  const suffixes = Object.entries(SUFFIXES).find(([known]) => known === type)?.[1]
  if (suffixes === undefined) return [`unknown type '${type}'`]
  if (help.trim() === '') problems.push('no help')
  if ((type === 'counter') !== name.endsWith('_total')) problems.push('_total is for counters')
  if (/_(?:count|sum|bucket)$/.test(name)) problems.push('a suffix of histograms')
  if (name.split('_').includes(type)) problems.push('the name contains its type')
  if (/(?:milli|micro|nano)?seconds?$/.test(name) && !name.endsWith('_seconds')) {
    problems.push('not in seconds')
  }
  if (/_(?:ms|s|sec|kb|mb|kilobytes|megabytes|minutes|hours|days|percent)$/.test(name)) {
    problems.push('not in a base unit')
  }
  for (const text of [name, ...labels]) {
    if (!/^[a-z][a-z0-9_]*$/.test(text)) problems.push(`'${text}' is not in snake_case`)
  }
  const allowed = suffixes.map((suffix) => name + suffix)
  for (const sample of samples) if (!allowed.includes(sample)) problems.push(`sample ${sample}`)
  return problems
}
