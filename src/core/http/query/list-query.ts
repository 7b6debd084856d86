import type { Request } from 'express'
import { invalid } from '../../../lib/errors.ts'

/** Most items that a page can have; a larger `pageSize` is taken as this. */
export const MAX_PAGE_SIZE = 1000

/** The parameters of every list, as OpenAPI's validation leaves them. */
export interface ListQuery {
  readonly page: number
  readonly pageSize: number
  readonly orderBy: string | undefined
  readonly order: 'asc' | 'desc' | undefined
  readonly search: string
  readonly fields: string | undefined
}

/** Reads the list parameters of a validated request. */
export function listQueryOf(request: Request, defaultPageSize: number): ListQuery {
  const { page, pageSize, orderBy, order, search, fields } = request.query
  if (page !== undefined || pageSize !== undefined) requireDigits(request)
  return {
    page: Number(page ?? 1),
    pageSize: Math.min(Number(pageSize ?? defaultPageSize), MAX_PAGE_SIZE),
    orderBy: textOf(orderBy),
    order: order === 'asc' || order === 'desc' ? order : undefined,
    search: textOf(search) ?? '',
    fields: textOf(fields),
  }
}

/**
 * The validator takes whatever JavaScript reads as an integer, `0x10`, `1e3` and Infinity too;
 * a number of a page is written in digits.
 */
function requireDigits(request: Request): void {
  const parameters = new URLSearchParams(request.originalUrl.split('?')[1])
  const violations = ['page', 'pageSize'].flatMap((field) => {
    const value = parameters.get(field)
    if (value === null || /^\d{1,300}$/.test(value)) return []
    return [{ field, message: `${field} must be integer`, constraint: 'type', value }]
  })
  if (violations.length > 0) throw invalid(violations)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
