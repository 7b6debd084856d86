import { age } from '../output/age.ts'
import type { Cell } from '../output/table.ts'
import type { Section } from './section.ts'

/** A condition of a resource. */
export interface ShownCondition {
  readonly type: string
  readonly status: string
  readonly since: string | undefined
  readonly generation: number | undefined
  readonly reason: string | undefined
  readonly message: string | undefined
}

/** The table of conditions with their ages. */
export function conditionSection(conditions: readonly ShownCondition[], now: Date): Section {
  return {
    title: 'Conditions',
    empty: 'none',
    columns: [
      { header: 'TYPE', shrinksTo: 12 },
      { header: 'STATUS' },
      { header: 'AGE' },
      { header: 'GENERATION', rank: 2 },
      { header: 'REASON', rank: 1, shrinksTo: 8 },
    ],
    rows: conditions.map(({ type, status, since, generation, reason = '-', message }) => ({
      cells: [type, statusCell(status), age(since, now), String(generation ?? '-'), reason],
      note: message,
    })),
  }
}

/** The status of a condition for which True is good. */
export function statusCell(status: string): Cell {
  if (status === 'True') return { text: status, tone: 'good' }
  return { text: status, tone: status === 'False' ? 'bad' : 'warning' }
}
