import { FlotillaError } from '../../lib/errors.ts'

type Direction = 'asc' | 'desc'

/** PostgreSQL allows 1664 sort expressions; requests need only a few. */
const MAX_TERMS = 32

export interface Term<Column> {
  readonly column: Column
  readonly direction: Direction
}

/** The rules for the order of one list. */
export interface OrderRules<Column> {
  /** The column that a field names, null for an unknown field. */
  readonly columnOf: (field: string) => Column | null
  /** The fields, for the message. */
  readonly allowed: string
  /** Order without a list of fields; `order=asc|desc` replaces its direction. */
  readonly fallback: Term<Column>
  /** Breaks ties, so that pages never overlap. */
  readonly tieBreak: Column
}

/** The order list that `orderBy` and `order` define together. */
interface OrderList {
  /** The parameter that contains the list. */
  readonly parameter: 'orderBy' | 'order'
  readonly text: string
  /** The direction of fields without one. */
  readonly direction: Direction | null
}

/**
 * Parses `orderBy` and `order`. `order` is either the direction of fields that have none, which is
 * ascending with neither, or the list itself. Ties are broken in the last field's direction.
 * Unknown fields and two lists are `invalid-search`.
 */
export function parseOrder<Column>(
  orderBy: string | undefined,
  order: string | undefined,
  rules: OrderRules<Column>,
): readonly Term<Column>[] {
  const list = orderListOf((orderBy ?? '').trim(), (order ?? '').trim())
  const parts = list.text.split(',')
  if (parts.length > MAX_TERMS) {
    const problem = `takes at most ${MAX_TERMS} fields, found ${parts.length}`
    throw invalidOrder(list, list.text, withFields(problem, rules))
  }
  const terms =
    list.text === ''
      ? [{ ...rules.fallback, direction: list.direction ?? rules.fallback.direction }]
      : parts.map((part) => parseTerm(part.trim(), list, rules))
  if (terms.some(({ column }) => column === rules.tieBreak)) return terms
  return [...terms, { column: rules.tieBreak, direction: terms.at(-1)?.direction ?? 'asc' }]
}

function orderListOf(orderBy: string, order: string): OrderList {
  if (order === '') return { parameter: 'orderBy', text: orderBy, direction: null }
  if (isDirection(order)) return { parameter: 'orderBy', text: orderBy, direction: order }
  const list: OrderList = { parameter: 'order', text: order, direction: null }
  if (orderBy === '') return list
  throw invalidOrder(
    list,
    order,
    `'${order}' is a list of fields, and so is orderBy: give one of them`,
  )
}

function parseTerm<Column>(part: string, list: OrderList, rules: OrderRules<Column>): Term<Column> {
  const [field = '', word, ...rest] = part.split(/[ \t]+/)
  const column = rules.columnOf(field)
  if (column === null) throw invalidOrder(list, part, withFields(`unknown field '${field}'`, rules))
  if (word === undefined) return { column, direction: list.direction ?? 'asc' }
  const given = word.toLowerCase()
  if (rest.length > 0 || !isDirection(given)) {
    throw invalidOrder(list, part, withFields(`expected asc or desc after '${field}'`, rules))
  }
  return { column, direction: given }
}

function isDirection(word: string): word is Direction {
  return word === 'asc' || word === 'desc'
}

function withFields(problem: string, { allowed }: { readonly allowed: string }): string {
  return `${problem}; the fields are ${allowed}, each with asc or desc`
}

function invalidOrder({ parameter }: OrderList, value: string, problem: string): FlotillaError {
  const message = `${parameter}: ${problem}`
  return new FlotillaError('invalid-search', message, {
    causes: [{ field: parameter, message, value }],
  })
}
