/** The `code` of a system or PostgreSQL error: `ENOENT`, `57P03`; `null` where it has none. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
