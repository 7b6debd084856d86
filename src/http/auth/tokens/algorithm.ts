/** The accepted signature algorithms. `none`, HMAC and all others are rejected. */
export const ALGORITHMS = ['RS256', 'ES256'] as const

export type Algorithm = (typeof ALGORITHMS)[number]
