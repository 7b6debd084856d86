/** Stands for the absent host of a URL that names a Unix socket: `postgresql://user@/name?host=/run`. */
const NO_HOST = 'socket'

/** Parses the URL of a PostgreSQL database. Null if it is not one. */
export function parseDatabaseUrl(text: string): URL | null {
  if (!/^postgres(ql)?:\/\//.test(text)) return null
  const withHost = text.replace('@/', `@${NO_HOST}/`)
  return URL.canParse(withHost) ? new URL(withHost) : null
}
