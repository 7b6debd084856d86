/** The path of a request target without the query. The target may be an absolute URI. */
export function requestPath(target: string): string {
  const path = target.startsWith('/')
    ? target
    : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const end = path.search(/[?#]/)
  return (end < 0 ? path : path.slice(0, end)) || '/'
}
