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
  return {
    page: pageOf(page),
    pageSize: Math.min(Number(pageSize ?? defaultPageSize), MAX_PAGE_SIZE),
    orderBy: textOf(orderBy),
    order: order === 'asc' || order === 'desc' ? order : undefined,
    search: textOf(search) ?? '',
    fields: textOf(fields),
  }
}

/** The validator takes `1e400` for an integer. */
function pageOf(page: unknown): number {
  const number = Number(page ?? 1)
  if (Number.isFinite(number)) return number
  throw invalid([{ field: 'page', message: 'page must be integer', constraint: 'type' }])
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
