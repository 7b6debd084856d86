/** A metric that an expression uses, and the labels by which it selects. */
interface UsedMetric {
  readonly name: string
  readonly labels: readonly string[]
}

/** The metrics of servers in an expression of Prometheus. */
export function metricsIn(expression: string): readonly UsedMetric[] {
  const matches = expression.matchAll(/\b((?:flotilla|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)
  return [...matches].map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
  }))
}

/** The labels by which an expression groups. */
export function groupsIn(expression: string): readonly string[] {
  const lists = [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)]
  return lists.flatMap(([, list = '']) => list.split(',').map((label) => label.trim()))
}
