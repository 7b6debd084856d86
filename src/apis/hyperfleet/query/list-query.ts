import type { Request } from 'express'
import { MAX_PAGE_SIZE } from '../../../core/model/page-size.ts'
import { FlotillaError, invalid, type Violation } from '../../../lib/errors.ts'

/** The parameters of every list, as OpenAPI's validation leaves them. */
export interface ListQuery {
  readonly page: number
  readonly pageSize: number
  readonly orderBy: string | undefined
  readonly order: string | undefined
  readonly search: string
  readonly fields: string | undefined
}

/** Reads the list parameters of a validated request. */
export function listQueryOf(request: Request, defaultPageSize: number): ListQuery {
  const { page, pageSize, size, orderBy, order, search, fields } = request.query
  if ([page, pageSize, size].some((number) => number !== undefined)) requireDigits(request)
  const most = pageSize === undefined ? null : Math.min(Number(pageSize), MAX_PAGE_SIZE)
  if (most !== null && size !== undefined && Number(size) !== most) throw twoSizes(request)
  return {
    page: Number(page ?? 1),
    pageSize: most ?? Math.min(Number(size ?? defaultPageSize), MAX_PAGE_SIZE),
    orderBy: textOf(orderBy),
    order: textOf(order),
    search: textOf(search) ?? '',
    fields: textOf(fields),
  }
}

/**
 * The validator takes whatever JavaScript reads as an integer, `0x10`, `1e3` and Infinity too;
 * a number of a page is written in digits.
 */
function requireDigits(request: Request): void {
  const violations = numbersOf(request).flatMap(({ field, value }): Violation[] => {
    if (/^\d{1,300}$/.test(value)) return []
    return [{ field, message: `${field} must be integer`, constraint: 'type', value }]
  })
  if (violations.length > 0) throw invalid(violations)
}

function twoSizes(request: Request): Error {
  const sizes = numbersOf(request).filter(({ field }) => field !== 'page')
  const shown = sizes.map(({ field, value }) => `${field}=${value}`).join(' and ')
  const message = `${shown} do not agree: give one of them`
  return new FlotillaError('invalid', message, {
    causes: sizes.map(({ field, value }) => ({ field, message, constraint: 'agree', value })),
  })
}

/** These parameters as they were sent. */
function numbersOf(request: Request): readonly { field: string; value: string }[] {
  const { originalUrl } = request
  const parameters = new URLSearchParams(originalUrl.slice(originalUrl.indexOf('?') + 1))
  return ['page', 'pageSize', 'size'].flatMap((field) => {
    const value = parameters.get(field)
    return value === null ? [] : [{ field, value }]
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
