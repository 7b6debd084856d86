import type { Request } from 'express'
import type { QuickCheck } from '../../../http/validation/quick-validation.ts'

const TEXTS: ReadonlySet<string> = new Set(['orderBy', 'order', 'search', 'fields'])
const NUMBERS: ReadonlySet<string> = new Set(['page', 'pageSize'])
const SMALL_NUMBER = /^[1-9][0-9]{0,2}$/

/** A request whose path is all that it says: any text is an id. */
export const isBare: QuickCheck = ({ originalUrl }) => {
  return originalUrl.startsWith('/') && !originalUrl.includes('?') && !originalUrl.includes('#')
}

/** A list with the usual parameters, each of them once. */
export const isPlainList: QuickCheck = (request) => {
  const { originalUrl } = request
  if (!originalUrl.startsWith('/') || originalUrl.includes('#')) return false
  return Object.entries(request.query).every(([name, value]) => isPlain(name, value))
}

function isPlain(name: string, value: Request['query'][string]): boolean {
  if (typeof value !== 'string' || value === '') return false
  return TEXTS.has(name) || (NUMBERS.has(name) && SMALL_NUMBER.test(value))
}
