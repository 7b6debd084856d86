import type { AdapterStatus, ReadinessRequirement } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import type { Cell } from '../output/table.ts'
import { statusCell } from './condition-section.ts'
import type { Section, SectionRow } from './section.ts'

interface AdapterReports {
  readonly statuses: readonly AdapterStatus[]
  readonly requirements: readonly ReadinessRequirement[]
  readonly now: Date
}

const NONE: Cell = { text: '-', tone: 'quiet' }

/** The last report of each adapter; required adapters come first, also without a report. */
export function adapterSection({ statuses, requirements, now }: AdapterReports): Section {
  const required = requirements.map(({ adapter }) => adapter)
  const others = statuses.map(({ adapter }) => adapter).filter((one) => !required.includes(one))
  const rowOf = (adapter: string): SectionRow => {
    const report = statuses.find((one) => one.adapter === adapter)
    const isRequired = required.includes(adapter)
    return report === undefined ? missing(adapter) : reported(report, isRequired, now)
  }
  return {
    title: 'Adapters',
    empty: 'none has reported, and none is required',
    columns: [
      { header: 'ADAPTER', shrinksTo: 12 },
      { header: 'AVAILABLE' },
      { header: 'GENERATION', rank: 3 },
      { header: 'REPORTED', rank: 1 },
      { header: 'REQUIRED', rank: 4 },
      { header: 'REASON', rank: 2, shrinksTo: 8 },
    ],
    rows: [...required, ...others].map(rowOf),
  }
}

function missing(adapter: string): SectionRow {
  return { cells: [adapter, NONE, NONE, { text: 'never', tone: 'bad' }, 'yes', NONE] }
}

function reported(report: AdapterStatus, isRequired: boolean, now: Date): SectionRow {
  const available = report.conditions.find(({ type }) => type === 'Available')
  const others = report.conditions.filter((one) => one !== available)
  const parts = [
    available?.message ?? '',
    ...others.map(({ type, status, message = '' }) => `${type} ${status} ${message}`.trim()),
  ]
  return {
    cells: [
      report.adapter,
      available === undefined ? NONE : statusCell(available.status),
      String(report.observed_generation),
      `${age(report.last_report_time, now)} ago`,
      isRequired ? 'yes' : 'no',
      available?.reason ?? NONE,
    ],
    note: parts.filter((part) => part !== '').join('; '),
  }
}
