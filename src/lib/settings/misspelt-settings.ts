import { suggest } from '../text/suggest.ts'

/** An unknown environment variable, and the setting with a similar name. */
interface Misspelling {
  readonly variable: string
  readonly suggestion: string
}

interface Options {
  /** Names of earlier settings, which are not misspelt. */
  readonly retired?: readonly string[]
  /** Matches the prefixes that users expect and most settings do not have. */
  readonly prefix: RegExp
}

/** Values that Kubernetes sets for every service, such as `HEALTH_PORT=tcp://10.0.0.1:80`. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//

/**
 * Finds variables that are probably misspelt settings. It ignores a variable if the setting itself is
 * present: the similar name then belongs to other software. Settings of one word, such as PORT,
 * resemble too many names, so they are suggested only for their own name with a prefix.
 */
export function misspeltSettings(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
  { retired = [], prefix }: Options,
): readonly Misspelling[] {
  const known = new Set([...settings, ...retired])
  const absent = settings.filter((name) => (env[name] ?? '') === '')
  const distinctive = absent.filter((name) => name.includes('_'))
  return Object.entries(env).flatMap(([variable, value = '']) => {
    if (known.has(variable) || SERVICE_LINK.test(value)) return []
    const suggestion = prefixed(variable, absent, prefix) ?? similar(variable, distinctive)
    return suggestion === null ? [] : [{ variable, suggestion }]
  })
}

function prefixed(variable: string, settings: readonly string[], prefix: RegExp): string | null {
  if (!prefix.test(variable)) return null
  const bare = variable.replace(prefix, '').toUpperCase()
  return settings.find((name) => name === bare || name.replace(prefix, '') === bare) ?? null
}

function similar(variable: string, settings: readonly string[]): string | null {
  const likely = settings.filter((name) => isLikely(variable, name))
  return suggest(variable, likely)
}

/** Stricter than `suggest`, because the environment contains many names of other software. */
function isLikely(variable: string, name: string): boolean {
  const [given, wanted] = [variable, name].map((text) => text.toUpperCase().replaceAll('_', ''))
  if (given === wanted) return true
  return given !== undefined && wanted !== undefined && differsByOneSlip(given, wanted)
}

/** One letter added, missing or replaced, or two neighbours swapped. */
function differsByOneSlip(given: string, wanted: string): boolean {
  const start = commonPrefix(given, wanted)
  const [left, right] = [given.slice(start), wanted.slice(start)]
  if (left.slice(1) === right || left === right.slice(1)) return true
  if (left.slice(1) === right.slice(1)) return true
  return left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
}

function commonPrefix(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
