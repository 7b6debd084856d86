import { spreadOfDefined } from '../measure/statistics.ts'
import { measurementTable } from './measurement-table.ts'
import { comparisonTable, baselineTable } from './ratio-table.ts'
import type { Results } from './results.ts'
import { formatFigure } from './format-figure.ts'
import { markdownTable } from './markdown-table.ts'
import { evaluateTargets } from './targets.ts'

/** Above this many CPUs busy with other processes, the report warns about noise. */
const MAX_NOISE_CPUS = 0.1

/** The results as Markdown. */
export function reportOf(results: Results): string {
  const sections = [
    describe(results),
    section(
      'Measurements',
      results.measurements.length === 0 ? null : measurementTable(results.measurements),
    ),
    section('Baselines', baselineTable(results)),
    section('Comparison', comparisonTable(results)),
    section('Other figures', factTable(results)),
    section('Not measured', omissionTable(results)),
    section('Targets', targetTable(results)),
  ]
  return `${sections.filter((text) => text !== null).join('\n\n')}\n`
}

/** A warning about CPU use of other processes during the run; null if there was little or it is unknown. */
export function noiseWarning({ measurements }: Results): string | null {
  const busy = measurements.flatMap(({ samples }) => samples.map(({ otherCpus }) => otherCpus))
  const spread = spreadOfDefined(busy)
  if (spread === null || spread.median < MAX_NOISE_CPUS) return null
  return (
    `The machine was not idle: other processes used ${formatFigure(spread.median)} CPUs (median; ` +
    `at most ${formatFigure(spread.max)}). Absolute figures are unreliable; ratios are less affected.`
  )
}

function describe(results: Results): string {
  const { machine, postgres, startedAt, command } = results
  const lines = [
    `Measured ${startedAt} by \`npm run bench -- ${command.join(' ')}\` on ${machine.cpus}, ` +
      `${machine.memoryGigabytes} GB, ${machine.system}, Node ${machine.node}, ${postgres}. ` +
      'Server, PostgreSQL and load generator share the CPUs. Figures are medians of the samples ' +
      '(min..max). CPU is time per request of all API processes and of all PostgreSQL processes.',
    noiseWarning(results),
  ]
  return lines.filter((line) => line !== null).join('\n\n')
}

function section(title: string, body: string | null): string | null {
  return body === null ? null : `## ${title}\n\n${body}`
}

function factTable({ facts }: Results): string | null {
  if (facts.length === 0) return null
  const rows = facts.map(({ scenario, name, value, unit }) => [
    `${scenario}: ${name}`,
    `${formatFigure(value)} ${unit}`.trim(),
  ])
  return markdownTable(['Figure', 'Value'], rows)
}

function omissionTable({ omissions }: Results): string | null {
  if (omissions.length === 0) return null
  const rows = new Map(
    omissions.map(({ scenario, what, reason }) => [`${scenario}: ${what}`, reason]),
  )
  return markdownTable(['Omitted', 'Reason'], [...rows])
}

/** All targets after `all`; otherwise only those that the scenario measures. */
function targetTable(results: Results): string | null {
  const isWhole = results.command.includes('all')
  const evaluated = evaluateTargets(results).filter(
    ({ outcome }) => isWhole || outcome !== 'not measured',
  )
  if (evaluated.length === 0) return null
  const rows = evaluated.map(({ target, limit, figure, outcome }) => [
    target,
    limit,
    figure,
    outcome,
  ])
  return markdownTable(['Target', 'Limit', 'Measured', 'Outcome'], rows)
}
