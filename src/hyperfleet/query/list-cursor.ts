import { hash } from 'node:crypto'
import type { Request } from 'express'
import { invalid } from '../../lib/errors.ts'
import { isJsonArray, type JsonValue } from '../../lib/json/json.ts'
import { preciseDateOf } from '../../lib/precise-date.ts'
import { MAX_PAGE_SIZE } from '../../store/model/page-size.ts'
import { isStorableText } from '../../store/database/storable-text.ts'
import type { PageEnd, PageRequest, PageStart } from '../../store/operations/list/read-page.ts'
import type { WatchScope } from '../../store/operations/watch/watch-scope.ts'
import { type OrderedExpression, orderExpressions } from '../../store/resources/list/list-order.ts'
import type { PositionValue } from '../../store/resources/list/list-position.ts'

/** The list to which a cursor is bound: its order and filters, without its page. */
export type CursorList = Pick<PageRequest, 'orderBy' | 'search' | 'references'> & {
  readonly scope: WatchScope
}

/** The page that a cursor names. */
export interface CursorPage {
  readonly page: number
  readonly after: PageStart
}

/** Writes the cursor of the page after the page with this number. */
export function writeCursor(list: CursorList, page: number, { position, seen }: PageEnd): string {
  const text = `["${digestOf(list)}",${page + 1},${seen},${position}]`
  return Buffer.from(text).toString('base64url')
}

/** Reads `after` of a validated list; null without it. `invalid` if it is no cursor of the list. */
export function cursorOf({ query }: Request, list: CursorList): CursorPage | null {
  const { after, page } = query
  if (typeof after !== 'string') return null
  if (page !== undefined) throw rejected(after, 'after and page: give one of them')
  const [digest, number, seen, position] = partsOf(after)
  const areCounts = isCount(number) && isCount(seen) && arePossible(number, seen)
  if (typeof digest !== 'string' || !areCounts || !isJsonArray(position)) {
    throw rejected(after, 'after: this is not the `next` of a list')
  }
  if (digest !== digestOf(list)) {
    const problem = 'after: this is the `next` of a list with another order or other filters'
    throw rejected(after, `${problem}: send the same parameters, or start without after`)
  }
  const expressions = orderExpressions(list.orderBy)
  const values = expressions.map((expression, at) => valueOf(expression, position[at]))
  const known = values.filter((value) => value !== undefined)
  if (known.length !== position.length || known.length !== values.length) {
    throw rejected(after, 'after: this is not the `next` of a list')
  }
  return { page: number, after: { position: known, seen } }
}

function partsOf(text: string): readonly JsonValue[] {
  try {
    const parts: JsonValue = JSON.parse(Buffer.from(text, 'base64url').toString())
    return isJsonArray(parts) ? parts : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value + MAX_PAGE_SIZE)
}

/** Whether the pages before the one with this number can have this number of items. */
function arePossible(page: number, seen: number): boolean {
  return page >= 2 && seen >= page - 1 && seen <= (page - 1) * MAX_PAGE_SIZE
}

const INTEGER_LIMIT = 2 ** 31

/** The value of an expression of the order; undefined if PostgreSQL could not compare it. */
function valueOf(
  { type, isNullable }: OrderedExpression,
  value: JsonValue | undefined,
): PositionValue | undefined {
  if (value === null) return isNullable ? null : undefined
  if (type === 'integer') {
    const isInteger = typeof value === 'number' && Number.isInteger(value)
    return isInteger && Math.abs(value) < INTEGER_LIMIT ? value : undefined
  }
  if (typeof value !== 'string') return undefined
  if (type === 'timestamptz') return timeOf(value)
  return isStorableText(value) ? value : undefined
}

function timeOf(text: string): Date | undefined {
  const time = preciseDateOf(text)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time : undefined
}

function digestOf({ scope, orderBy, search, references }: CursorList): string {
  const list = [placeOf(scope), orderBy, search, references]
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, 16)
}

function placeOf(scope: WatchScope): readonly (string | null)[] {
  switch (scope.subject) {
    case 'resources':
      return [scope.subject, scope.tenant, scope.kind.kind, scope.ownerId]
    case 'all-resources':
      return [scope.subject, scope.tenant, scope.kind?.kind ?? null]
    case 'statuses':
      return [scope.subject, scope.target.tenant, scope.target.id]
  }
}

function rejected(value: string, message: string): Error {
  return invalid([{ field: 'after', message, constraint: 'cursor', value }])
}
