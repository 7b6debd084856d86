import { ApiError } from '../../../../typescript/src/errors/api-error.ts'

/** The error of a search and its position. */
export interface SearchProblem {
  readonly message: string
  /** The wrong text; the end of the search if something is missing there. */
  readonly start: number
  readonly end: number
}

/** The problem of a search that the server rejected; null for other errors. */
export function searchProblem(error: unknown, search: string): SearchProblem | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null
  const found = error.errors.find(({ field }) => field === 'search')
  if (found === undefined) return null
  const start = Math.min(found.position ?? 0, search.length)
  const end = Math.min(start + (found.length ?? search.length), search.length)
  return { message: sentence(found.message), start, end }
}

/** The message without the position, which the field marks. */
function sentence(message: string): string {
  const text = message.replace(/^search: /, '').replace(/ at \d+(?=[,;]|$)/, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
