/** The `code` of a system or PostgreSQL error, such as `ENOENT` or `57P03`; null if it has none. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
