import type { Predicate } from './predicate.ts'

/**
 * Merges the label equalities of a conjunction into one, at the position of the first. Returns null
 * if two of them contradict each other, so that nothing can match.
 */
export function mergeLabels(conjuncts: readonly Predicate[]): readonly Predicate[] | null {
  const labels = new Map<string, string>()
  const rest: Predicate[] = []
  let position: number | null = null
  for (const conjunct of conjuncts) {
    const equalities = labelEqualities(conjunct)
    if (equalities.length === 0) rest.push(conjunct)
    else position ??= rest.length
    for (const [key, value] of equalities) {
      if ((labels.get(key) ?? value) !== value) return null
      labels.set(key, value)
    }
  }
  return position === null ? rest : rest.toSpliced(position, 0, labelsEqual(labels))
}

function labelEqualities(predicate: Predicate): readonly (readonly [string, string])[] {
  if (predicate.type === 'labels-equal') return [...predicate.labels]
  if (predicate.type !== 'text-in' || predicate.negated) return []
  const { operand, values } = predicate
  const [value, second] = values
  if (operand.source !== 'label' || value === undefined || second !== undefined) return []
  return [[operand.key, value]]
}

function labelsEqual(labels: ReadonlyMap<string, string>): Predicate {
  const [first, second] = labels
  if (first === undefined || second !== undefined) return { type: 'labels-equal', labels }
  const operand = { source: 'label', key: first[0] } as const
  return { type: 'text-in', operand, values: [first[1]], negated: false }
}
