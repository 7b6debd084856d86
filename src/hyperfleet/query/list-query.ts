import type { Request } from 'express'
import { MAX_PAGE_SIZE } from '../../store/model/page-size.ts'
import { FlotillaError, invalid, type Violation } from '../../lib/errors.ts'
import { LIST_PARAMETERS } from './list-parameters.ts'

/** The parameters of a page. */
export interface ListQuery {
  readonly page: number
  readonly pageSize: number
  readonly orderBy: string | undefined
  readonly order: string | undefined
  /** TSL texts that an item must all match; the caller's `search` is the first. */
  readonly search: readonly string[]
  readonly fields: string | undefined
}

/** Reads the list parameters of a validated request. */
export function listQueryOf(request: Request, defaultPageSize: number): ListQuery {
  const { query } = request
  const { page, pageSize, size } = query
  if (NUMBERS.some((name) => query[name] !== undefined)) requireDigits(request)
  const most = pageSize === undefined ? null : Math.min(Number(pageSize), MAX_PAGE_SIZE)
  if (most !== null && size !== undefined && Number(size) !== most) throw twoSizes(request)
  return {
    page: Number(page ?? 1),
    pageSize: most ?? Math.min(Number(size ?? defaultPageSize), MAX_PAGE_SIZE),
    orderBy: textOf(query['orderBy']),
    order: textOf(query['order']),
    search: conditionsOf(query),
    fields: textOf(query['fields']),
  }
}

const NUMBERS = LIST_PARAMETERS.filter(({ describe }) => {
  return describe('kind', [])?.schema['type'] === 'integer'
}).map(({ name }) => name)

const CONDITIONS = LIST_PARAMETERS.flatMap(({ name, condition }) => {
  return condition ? [{ name, condition }] : []
})

/** The TSL texts that the parameters of a validated list or watch stand for. */
export function conditionsOf(query: Request['query']): readonly string[] {
  rejectShard(query)
  return CONDITIONS.flatMap(({ name, condition }) => {
    const value = textOf(query[name])
    return value === undefined ? [] : [condition(value)]
  })
}

/** The router of shards has removed the parameter from requests that may have it. */
function rejectShard({ shard }: Request['query']): void {
  if (shard === undefined) return
  const message = 'shard: only systems of a sharded installation can name a shard'
  throw invalid([{ field: 'shard', message, value: textOf(shard) ?? '' }])
}

/**
 * Rejects numbers that are not written in digits. Coercion accepts everything that JavaScript reads
 * as an integer, such as `0x10`, `1e3` and `Infinity`.
 */
function requireDigits(request: Request): void {
  const violations = numbersOf(request).flatMap(({ field, value }): Violation[] => {
    if (/^\d{1,300}$/.test(value)) return []
    return [{ field, message: `${field} must be integer`, constraint: 'type', value }]
  })
  if (violations.length > 0) throw invalid(violations)
}

function twoSizes(request: Request): Error {
  const sizes = numbersOf(request).filter(({ field }) => field === 'pageSize' || field === 'size')
  const shown = sizes.map(({ field, value }) => `${field}=${value}`).join(' and ')
  const message = `${shown} do not agree: give one of them`
  return new FlotillaError('invalid', message, {
    causes: sizes.map(({ field, value }) => ({ field, message, constraint: 'agree', value })),
  })
}

/** The numeric parameters as the caller sent them. */
function numbersOf(request: Request): readonly { field: string; value: string }[] {
  const { originalUrl } = request
  const parameters = new URLSearchParams(originalUrl.slice(originalUrl.indexOf('?') + 1))
  return NUMBERS.flatMap((field) => {
    const value = parameters.get(field)
    return value === null ? [] : [{ field, value }]
  })
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
