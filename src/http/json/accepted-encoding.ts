/** The encodings in which files can be stored, the best first. */
export const ENCODINGS = ['br', 'gzip'] as const

export type FileEncoding = (typeof ENCODINGS)[number]

/** The best available encoding that an `Accept-Encoding` header allows; null for none. */
export function acceptedEncoding(
  header: string,
  available: readonly FileEncoding[],
): FileEncoding | null {
  const weights = new Map(header.split(',').map(weightOf))
  const weight = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0
  let best: FileEncoding | null = null
  for (const encoding of ENCODINGS) {
    if (!available.includes(encoding) || weight(encoding) === 0) continue
    if (best === null || weight(encoding) > weight(best)) best = encoding
  }
  return best
}

/** An element such as `gzip;q=0.5` as a pair. An invalid weight rejects the encoding. */
function weightOf(element: string): [string, number] {
  const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, q === undefined ? 1 : Number(q.slice(2)) || 0]
}
