import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  created,
  DELETION,
  type Held,
  reports,
  type ReportStep,
  SPEC_CHANGE,
  type Step,
  take,
} from '../fixtures.ts'

const REQUIRED = ['dns', 'validator']
const STATUSES = ['True', 'False', 'Unknown'] as const
const REPORT =
  /^(?:`(?<adapter>\w+)`|both) (?:(?<status>True|False|Unknown)|Health only)(?:@(?<generation>\d))?(?<finalized>, finalized)?$/

const guide = readFileSync(new URL('../../../../../docs/conditions.md', import.meta.url), 'utf8')
const [, sequences = ''] = guide.split('## Worked sequences')
const tables = sequences
  .split(/^\*\*(?=.*\*\*)/m)
  .slice(1)
  .map((table) => ({ title: table.slice(0, table.indexOf('.')), table }))

/** The steps in the first cell of a row: "`dns` True@1", "both True@1", "the spec changes". */
function stepsOf(cell: string): readonly Step[] {
  if (cell === 'create') return []
  if (cell.startsWith('the spec changes')) return [SPEC_CHANGE]
  if (cell.startsWith('the resource is deleted')) return [DELETION]
  const match = REPORT.exec(cell)
  if (match === null) throw new Error(`the guide tells a step that the test cannot read: ${cell}`)
  const { adapter, status, generation, finalized } = match.groups ?? {}
  const available: ReportStep['available'] = STATUSES.find((each) => each === status) ?? null
  const adapters = adapter === undefined ? REQUIRED : [adapter]
  return adapters.map((each) => {
    const step = reports(each, available, Number(generation ?? 1))
    return { ...step, finalized: finalized !== undefined }
  })
}

function shown({ conditions }: Held, types: readonly string[]): readonly (string | null)[] {
  const byType = new Map(conditions.map((condition) => [condition.type, condition]))
  return types.map((type) => {
    const { status, observed_generation } = byType.get(type) ?? {}
    return `${status}@${observed_generation}`
  })
}

describe('the worked sequences of docs/conditions.md', () => {
  it('are complete', () => {
    expect(tables).toHaveLength(8)
  })

  it.each(tables)('match the rules: $title', ({ table }) => {
    const types = /^\| Step +\| (\w+) +\| (\w+) +\|/m.exec(table)?.slice(1) ?? []
    const rows = [...table.matchAll(/^\| (.+?) +\| (\w+@\d) +\| (\w+@\d) +\|(.*)\|$/gm)]
    expect(rows.length).toBe(table.split('\n').filter((line) => line.startsWith('|')).length - 2)
    let held = created(REQUIRED)
    let seconds = 0
    for (const [line, cell = '', first, second, note = ''] of rows) {
      const reasons: string[] = []
      for (const step of stepsOf(cell)) {
        seconds += 1
        const taken = take(held, step, seconds)
        held = taken.held
        if (taken.validation && 'discard' in taken.validation)
          reasons.push(taken.validation.discard)
      }
      expect(shown(held, types), line).toEqual([first, second])
      expect(reasons, line).toEqual(/204 `([\w-]+)`/.exec(note)?.slice(1) ?? [])
    }
  })
})
