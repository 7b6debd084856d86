import type { HistoryEntry } from '../../../typescript/src/index.ts'
import { diffLines } from '../diff/diff-lines.ts'
import { age } from '../output/age.ts'
import type { Colors } from '../output/terminal.ts'
import { visibleText } from '../output/visible-text.ts'
import { changedValues } from './changed-values.ts'

const INDENT = '  '
/** Enough to show the parents of a changed value. */
const CONTEXT_LINES = 10

type ChangedCondition = NonNullable<HistoryEntry['conditions']>[number]

/** The lines of one entry: when, what and who, and each change as a difference. */
export function entryLines(
  entry: HistoryEntry,
  { now, colors }: { readonly now: Date; readonly colors: Colors },
): readonly string[] {
  const { time, type, by, generation, reason, conditions = [] } = entry
  const who = by === '' ? '' : ` by ${by}`
  const heading = `${time} (${age(time, now)} ago): ${type}${who}, generation ${generation}`
  const lines = [
    ...(reason === undefined ? [] : [`Reason: ${visibleText(reason)}`]),
    ...diffLines(changedValues(entry.changes), colors, CONTEXT_LINES),
    ...conditions.map((one) => visibleText(conditionText(one))),
  ]
  return [colors.bold(visibleText(heading)), ...lines.map((line) => INDENT + line)]
}

function conditionText({ type, old, new: current }: ChangedCondition): string {
  const detail = [current?.reason, current?.message].filter(Boolean).join(': ')
  const status =
    old?.status === current?.status
      ? `is ${current?.status}`
      : `${old?.status ?? 'absent'} -> ${current?.status ?? 'absent'}`
  return `${type} ${status}${detail === '' ? '' : ` (${detail})`}`
}
