const PATTERN = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/

/** Generally available versions first, then beta, then alpha, then others. */
const STABILITY: Readonly<Record<string, number>> = { '': 0, beta: 1, alpha: 2 }

/** Orders versions by preference: `v2`, `v1`, `v1beta2`, `v1alpha1`, then other names. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [rankOf(one), rankOf(other)]
  for (const [index, rank] of first.entries()) {
    const difference = rank - (second[index] ?? 0)
    if (difference !== 0) return difference
  }
  return one < other ? -1 : Number(one > other)
}

function rankOf(version: string): readonly [number, number, number] {
  const match = PATTERN.exec(version)
  if (!match) return [3, 0, 0]
  const [, major = '', stability = '', minor = '0'] = match
  return [STABILITY[stability] ?? 3, -Number(major), -Number(minor)]
}
