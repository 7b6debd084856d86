import { spreadOfKnown } from '../measure/statistics.ts'
import { measurementTable } from './measurement-table.ts'
import { againstTable, floorTable } from './ratio-table.ts'
import type { Results } from './results.ts'
import { showFigure } from './show-figure.ts'
import { markdownTable } from './table.ts'
import { judgeTargets } from './targets.ts'

/** CPUs that something else may keep busy before figures are doubted. */
const QUIET = 0.1

/** All that was found, as Markdown. */
export function reportOf(results: Results): string {
  const sections = [
    describe(results),
    section('Measurements', measurementTable(results.measurements)),
    section('Floors', floorTable(results)),
    section('Compared', againstTable(results)),
    section('Facts', factTable(results)),
    section('Not measured', omissionTable(results)),
    section('Targets', targetTable(results)),
  ]
  return `${sections.filter((text) => text !== null).join('\n\n')}\n`
}

/** How busy others kept the machine while it measured; null where nobody did or nobody knows. */
export function disturbance({ measurements }: Results): string | null {
  const busy = measurements.flatMap(({ runs }) => runs.map(({ othersBusy }) => othersBusy))
  const spread = spreadOfKnown(busy)
  if (spread === null || spread.median < QUIET) return null
  return (
    `The machine was not quiet: others kept ${showFigure(spread.median)} CPUs busy on the median, ` +
    `${showFigure(spread.max)} at most. Trust ratios more than figures, and neither much.`
  )
}

function describe(results: Results): string {
  const { machine, postgres, startedAt, command } = results
  const lines = [
    `Measured ${startedAt} by \`npm run bench -- ${command.join(' ')}\` on ${machine.cpus}, ` +
      `${machine.memoryGigabytes} GB, ${machine.system}, Node ${machine.node}, ${postgres}. ` +
      'Server, PostgreSQL and load generator share the CPUs. Figures are medians of the runs ' +
      '(least..most); CPU is time per request, of all processes of the API and of PostgreSQL.',
    disturbance(results),
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
    `${showFigure(value)} ${unit}`.trim(),
  ])
  return markdownTable(['Fact', 'Value'], rows)
}

function omissionTable({ omissions }: Results): string | null {
  if (omissions.length === 0) return null
  const rows = new Map(
    omissions.map(({ scenario, what, reason }) => [`${scenario}: ${what}`, reason]),
  )
  return markdownTable(['What', 'Why'], [...rows])
}

/** Of a part of the suite, only what that part measures. */
function targetTable(results: Results): string | null {
  const isWhole = results.command.includes('all')
  const verdicts = judgeTargets(results).filter(
    ({ verdict }) => isWhole || verdict !== 'not measured',
  )
  if (verdicts.length === 0) return null
  const rows = verdicts.map(({ target, limit, figure, verdict }) => [
    target,
    limit,
    figure,
    verdict,
  ])
  return markdownTable(['Target', 'Limit', 'Measured', 'Verdict'], rows)
}
