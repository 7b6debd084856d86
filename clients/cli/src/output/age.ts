const UNITS = [
  { letter: 'd', ms: 86_400_000 },
  { letter: 'h', ms: 3_600_000 },
  { letter: 'm', ms: 60_000 },
  { letter: 's', ms: 1000 },
] as const

/** The time since a moment, in one or two units: `5s`, `3m20s`, `2h`, `4d3h`. */
export function age(since: string | undefined, now: Date): string {
  const moment = Date.parse(since ?? '')
  return Number.isNaN(moment) ? '-' : duration(now.getTime() - moment)
}

/** A duration in one or two units. Large amounts of a unit need no smaller one. */
export function duration(ms: number): string {
  const index = UNITS.findIndex((unit) => ms >= unit.ms)
  const unit = UNITS[index]
  if (unit === undefined) return '0s'
  const amount = Math.floor(ms / unit.ms)
  const smaller = UNITS[index + 1]
  const rest = smaller === undefined ? 0 : Math.floor((ms % unit.ms) / smaller.ms)
  if (smaller === undefined || rest === 0 || amount >= 10) return `${amount}${unit.letter}`
  return `${amount}${unit.letter}${rest}${smaller.letter}`
}
