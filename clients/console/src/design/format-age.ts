const UNITS = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3600, unit: 'h' },
  { seconds: 60, unit: 'm' },
  { seconds: 1, unit: 's' },
] as const

/** A duration in at most two units, such as `42s`, `3m 5s`, `4h 20m` or `12d`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const index = UNITS.findIndex((one) => seconds >= one.seconds)
  const first = UNITS[index]
  if (first === undefined) return '0s'
  const count = Math.floor(seconds / first.seconds)
  const next = UNITS[index + 1]
  const rest = next === undefined ? 0 : Math.floor((seconds % first.seconds) / next.seconds)
  const isCoarse = next === undefined || rest === 0 || count >= 10
  return isCoarse ? `${count}${first.unit}` : `${count}${first.unit} ${rest}${next.unit}`
}
