import { tokenRefused } from './token-refusal.ts'

const CLAIMS = ['email', 'preferred_username', 'sub'] as const

/** Control characters and halves of characters: PostgreSQL and logs cannot keep them all. */
const UNFIT = /[\p{Cc}\p{Cs}]/u

/** The caller's name: the first claim that can be one. */
export function identityOf(claims: Readonly<Record<string, unknown>>): string {
  for (const claim of CLAIMS) {
    const value = claims[claim]
    if (typeof value === 'string' && value.trim() !== '' && !UNFIT.test(value)) return value
  }
  throw tokenRefused(`The token does not say who calls: it needs one of ${CLAIMS.join(', ')}`)
}
