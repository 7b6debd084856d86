const INDEX = /^\d+$/

/** The value at a dotted path such as `items.0.name`, or null if a step leads nowhere. */
export function dig(target: unknown, path: string): unknown {
  const steps = path
    .split('.')
    .map((step) => step.trim())
    .filter((step) => step !== '')
  return steps.reduce(memberOf, target) ?? null
}

function memberOf(value: unknown, step: string): unknown {
  if (value instanceof Map) return value.get(step)
  return Array.isArray(value) && INDEX.test(step) ? value[Number(step)] : null
}
