const UNITS = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3600 },
  { name: 'm', seconds: 60 },
  { name: 's', seconds: 1 },
] as const

/** A duration with at most two units, such as `3m 20s` or `2d`. Negative durations are `0s`. */
export function durationText(milliseconds: number): string {
  let rest = Math.max(0, Math.floor(milliseconds / 1000))
  const index = UNITS.findIndex(({ seconds }) => rest >= seconds)
  if (index === -1) return '0s'
  const parts: string[] = []
  for (const { name, seconds } of UNITS.slice(index, index + 2)) {
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    if (count > 0) parts.push(`${count}${name}`)
  }
  return parts.join(' ')
}
