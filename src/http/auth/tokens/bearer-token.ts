import { missingToken, invalidToken } from './token-errors.ts'

/** Reads the token of an `Authorization` header. The scheme is case-insensitive. */
export function bearerToken(authorization: string | undefined): string {
  const [scheme, ...words] = (authorization ?? '').split(' ').filter((word) => word !== '')
  const [token, ...rest] = words
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined) throw missingToken()
  if (rest.length === 0) return token
  throw invalidToken("The Authorization header must be 'Bearer' followed by one token")
}
