/** The signature algorithms that are accepted; `none`, HMAC and all others are refused. */
export const ALGORITHMS = ['RS256', 'ES256'] as const

export type Algorithm = (typeof ALGORITHMS)[number]
