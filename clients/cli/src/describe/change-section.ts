import type { ChangeList, ResourceChange } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import type { Section } from './section.ts'

/** The last changes of a resource, newest first. */
export function changeSection({ items, next, complete }: ChangeList, now: Date): Section {
  const isCut = next !== null || !complete
  return {
    title: isCut ? 'Last changes' : 'Changes',
    empty: 'the log contains none',
    columns: [
      { header: 'AGE' },
      { header: 'CHANGE' },
      { header: 'GENERATION', rank: 2 },
      { header: 'BY', rank: 1, shrinksTo: 10 },
    ],
    rows: items.map((change) => ({
      cells: [
        age(change.time, now),
        change.type,
        String(change.generation),
        change.adapter ?? (change.by === '' ? '-' : change.by),
      ],
      note: detailOf(change),
    })),
  }
}

function detailOf({ fields, conditions = [] }: ResourceChange): string {
  const others = fields.filter((field) => field !== 'conditions' && field !== 'status')
  const flips = conditions
    .filter((one) => one.old?.status !== one.new?.status)
    .map((one) => `${one.type} ${one.old?.status ?? 'absent'} -> ${one.new?.status ?? 'absent'}`)
  return [...others, ...flips].join(', ')
}
