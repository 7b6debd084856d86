import { randomTexts } from '../seeded-random.ts'

/** Spellings of the parts of a path, some of which some servers decode or normalize. */
const PARTS = (
  '. .. ... / // \\ ; ? # : @ % %00 %09 %0a %20 %2e %2E %2e%2e .%2e %2E. %252e ' +
  '%252E%252e %25252e %2f %2F %252f %5c %5C %255c %c0%ae %c0%af %e0%80%ae %u002e ' +
  '%ef%bc%8e widgets a b namespaces admin x ..; .;/ %3b %3f %23 %40'
).split(' ')

const MAX_PARTS = 8

/** Paths with a fixed seed, so that a failure can be repeated. */
export function randomEscapes(random: {
  readonly seed: number
  readonly count: number
}): readonly string[] {
  return randomTexts(PARTS, { ...random, maxParts: MAX_PARTS }).map((text) => `widgets/${text}`)
}

/**
 * Whether the documentation rejects a path below a namespace: one with dot segments, a backslash or an
 * encoded slash, also if dots or backslashes are encoded.
 */
export function isEscape(path: string): boolean {
  const [raw = ''] = path.split(/[?#]/)
  if (/%2f/i.test(raw)) return true
  const decoded = raw.replace(/%2e/gi, '.').replace(/%5c/gi, '\\')
  return decoded.includes('\\') || decoded.split('/').some((part) => part === '.' || part === '..')
}
