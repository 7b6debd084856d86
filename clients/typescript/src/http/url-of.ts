import type { ApiRequest } from './request.ts'

/** The URL of a request. Parameters without a value are omitted. */
export function urlOf(
  base: string,
  { path, query = {} }: Pick<ApiRequest, 'path' | 'query'>,
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    parameters.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = parameters.toString()
  return `${base}${path}${text === '' ? '' : `?${text}`}`
}
