import type { ReadinessRequirement } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import type { Section } from './section.ts'

/** The requirements that readiness waits for, and since when. */
export function requirementSection(
  requirements: readonly ReadinessRequirement[],
  now: Date,
): Section {
  const unmet = requirements.filter(({ state }) => state !== 'satisfied')
  return {
    title: 'Unmet requirements for Ready',
    empty: 'none',
    columns: [
      { header: 'ADAPTER', shrinksTo: 12 },
      { header: 'STATE' },
      { header: 'SINCE' },
      { header: 'GENERATION', rank: 2 },
      { header: 'REASON', rank: 1, shrinksTo: 8 },
    ],
    rows: unmet.map(({ adapter, state, since, observedGeneration, reason, message }) => ({
      cells: [
        adapter,
        { text: state, tone: 'bad' },
        age(since ?? undefined, now),
        String(observedGeneration ?? '-'),
        reason ?? '-',
      ],
      note: message,
    })),
  }
}
