import { tokenMissing, tokenRefused } from './token-refusal.ts'

/** The token of an `Authorization` header; the scheme's case does not matter. */
export function bearerToken(authorization: string | undefined): string {
  const [scheme, ...words] = (authorization ?? '').split(' ').filter((word) => word !== '')
  const [token, ...rest] = words
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined) throw tokenMissing()
  if (rest.length === 0) return token
  throw tokenRefused("The Authorization header must be 'Bearer' and one token, nothing else")
}
