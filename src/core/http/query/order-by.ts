import { FlotillaError } from '../../../lib/errors.ts'

type Direction = 'asc' | 'desc'

/** PostgreSQL sorts by 1664 expressions at most; nobody needs more than a few. */
const MOST_TERMS = 32

export interface Term<Column> {
  readonly column: Column
  readonly direction: Direction
}

interface OrderRules<Column> {
  /** The column that a field names, null for an unknown field. */
  readonly columnOf: (field: string) => Column | null
  /** The fields, for the message. */
  readonly allowed: string
  /** Order without `orderBy`; `order` replaces its direction. */
  readonly fallback: Term<Column>
  /** Breaks ties, so that pages never overlap. */
  readonly tieBreak: Column
}

/**
 * Parses `orderBy` and `order`. `order` is the direction of fields that have none; with neither
 * it is ascending. Ties are broken in the last field's direction. Unknown fields are VAL-005.
 */
export function parseOrder<Column>(
  orderBy: string | undefined,
  order: Direction | undefined,
  rules: OrderRules<Column>,
): readonly Term<Column>[] {
  const text = (orderBy ?? '').trim()
  const parts = text.split(',')
  if (parts.length > MOST_TERMS) {
    throw refused(text, `takes at most ${MOST_TERMS} fields, found ${parts.length}`, rules.allowed)
  }
  const terms =
    text === ''
      ? [{ ...rules.fallback, direction: order ?? rules.fallback.direction }]
      : parts.map((part) => parseTerm(part.trim(), order ?? 'asc', rules))
  if (terms.some(({ column }) => column === rules.tieBreak)) return terms
  return [...terms, { column: rules.tieBreak, direction: terms.at(-1)?.direction ?? 'asc' }]
}

function parseTerm<Column>(
  part: string,
  direction: Direction,
  rules: OrderRules<Column>,
): Term<Column> {
  const [field = '', word, ...rest] = part.split(/[ \t]+/)
  const column = rules.columnOf(field)
  if (column === null) throw refused(part, `unknown field '${field}'`, rules.allowed)
  if (word === undefined) return { column, direction }
  const given = word.toLowerCase()
  if (rest.length > 0 || (given !== 'asc' && given !== 'desc')) {
    throw refused(part, `expected asc or desc after '${field}'`, rules.allowed)
  }
  return { column, direction: given }
}

function refused(value: string, problem: string, allowed: string): FlotillaError {
  const message = `orderBy: ${problem}; the fields are ${allowed}, each with asc or desc`
  return new FlotillaError('VAL-005', message, {
    violations: [{ field: 'orderBy', message, value }],
  })
}
