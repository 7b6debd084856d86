const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A size such as `1.4 MiB`; empty for an unknown one. */
export function formatBytes(bytes: number | undefined): string {
  if (bytes === undefined) return ''
  let value = bytes
  for (const unit of UNITS) {
    if (value < 1024 || unit === 'TiB') {
      return `${value < 10 && unit !== 'B' ? value.toFixed(1) : Math.round(value)} ${unit}`
    }
    value /= 1024
  }
  return ''
}
