/** Reads the URL of a server as its users see it, and returns its origin. */
export function readPublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol)
  if (isWeb && (text === url.origin || text === `${url.origin}/`)) return url.origin
  const hint = isWeb ? url.origin : 'https://flotilla.example.com'
  throw new Error(`expected a URL without path, such as ${hint}, found '${text}'`)
}
