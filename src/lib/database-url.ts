/** The password may be part of a rejected URL, so the message does not repeat the URL. */
export const EXPECTED_DATABASE_URL =
  'expected postgresql://user:password@host:5432/name, with special characters of the password ' +
  'percent-encoded, such as %23 for # and %2F for /'

/** Stands for the absent host of a URL that names a Unix socket: `postgresql://user@/name?host=/run`. */
const NO_HOST = 'socket'

/** Parses the URL of a PostgreSQL database. Null if it is not one. */
export function parseDatabaseUrl(text: string): URL | null {
  if (!/^postgres(ql)?:\/\//.test(text)) return null
  const withHost = text.replace('@/', `@${NO_HOST}/`)
  return URL.canParse(withHost) ? new URL(withHost) : null
}
