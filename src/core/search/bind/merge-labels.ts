import type { Predicate } from './predicate.ts'

/**
 * Joins the label equalities of a conjunction into one, which stands where the first one stood.
 * Null where two of them contradict each other: nothing can match.
 */
export function mergeLabels(conjuncts: readonly Predicate[]): readonly Predicate[] | null {
  const labels = new Map<string, string>()
  const rest: Predicate[] = []
  let place: number | null = null
  for (const conjunct of conjuncts) {
    const equalities = labelEqualities(conjunct)
    if (equalities.length === 0) rest.push(conjunct)
    else place ??= rest.length
    for (const [key, value] of equalities) {
      if ((labels.get(key) ?? value) !== value) return null
      labels.set(key, value)
    }
  }
  return place === null ? rest : rest.toSpliced(place, 0, labelsEqual(labels))
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
