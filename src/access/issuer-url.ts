/** Reads the URL of a token issuer: http or https, without query and trailing slash. */
export function readIssuerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isUsable = url && ['http:', 'https:'].includes(url.protocol) && url.username === ''
  if (!isUsable || url.search !== '' || url.hash !== '' || text.endsWith('/')) {
    throw new Error(
      `expected an http or https URL without query and trailing slash, found '${text}'`,
    )
  }
  return text
}
